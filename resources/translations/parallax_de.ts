<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>QCustomPlot</name>
    <message>
        <source>Save the chart</source>
        <translation>Das Diagramm speichern</translation>
    </message>
    <message>
        <source>The chart was not saved</source>
        <translation>Das Diagramm wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>&apos;.%1&apos; is not a format of charts</source>
        <translation>„.%1“ ist kein Format für Diagramme</translation>
    </message>
    <message>
        <source>Take svg, pdf, png or csv</source>
        <translation>svg, pdf, png oder csv nehmen</translation>
    </message>
    <message>
        <source>&amp;Copy the picture</source>
        <translation>Bild &amp;kopieren</translation>
    </message>
    <message>
        <source>Put the chart into the clipboard as a picture</source>
        <translation>Das Diagramm als Bild in die Zwischenablage legen</translation>
    </message>
    <message>
        <source>Copy the &amp;numbers</source>
        <translation>&amp;Zahlen kopieren</translation>
    </message>
    <message>
        <source>Put the numbers of the chart into the clipboard, separated by commas</source>
        <translation>Die Zahlen des Diagramms, durch Kommas getrennt, in die Zwischenablage legen</translation>
    </message>
    <message>
        <source>&amp;Save the chart …</source>
        <translation>Diagramm &amp;speichern …</translation>
    </message>
    <message>
        <source>As SVG, PDF, PNG or its numbers as CSV</source>
        <translation>Als SVG, PDF, PNG oder seine Zahlen als CSV</translation>
    </message>
    <message>
        <source>ns</source>
        <translation>ns</translation>
    </message>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>Export report</source>
        <translation>Bericht exportieren</translation>
    </message>
    <message>
        <source>Recipes (*.json)</source>
        <translation>Rezepte (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open a recipe</source>
        <translation>Ein Rezept öffnen</translation>
    </message>
    <message>
        <source>Save the recipe</source>
        <translation>Das Rezept speichern</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Übersetzung</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>Plattform</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliotheken</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>Backends</translation>
    </message>
    <message>
        <source>not available: %1</source>
        <translation>nicht verfügbar: %1</translation>
    </message>
    <message>
        <source>PNG (*.png)</source>
        <translation>PNG (*.png)</translation>
    </message>
    <message>
        <source>Export report of the sweep</source>
        <translation>Bericht der Messreihe exportieren</translation>
    </message>
</context>
<context>
    <name>TimeLeft</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>%1 s so far</source>
        <translation>%1 s bisher</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>noch etwa %1</translation>
    </message>
</context>
<context>
    <name>catalog</name>
    <message>
        <source>&apos;all&apos;, or names separated by commas, as in R,G. Other channels are copied.</source>
        <translation>„all“ oder Namen, durch Kommas getrennt, wie R,G. Andere Kanäle werden kopiert.</translation>
    </message>
    <message>
        <source>A given value: vvv|abcd|vvv</source>
        <translation>Ein gegebener Wert: vvv|abcd|vvv</translation>
    </message>
    <message>
        <source>Added to every filtered sample, as to see negative values of a derivative.</source>
        <translation>Wird zu jedem gefilterten Wert addiert, etwa um negative Werte einer Ableitung zu sehen.</translation>
    </message>
    <message>
        <source>Adds the difference to a Gaussian blur</source>
        <translation>Addiert die Differenz zu einer Gaußschen Glättung</translation>
    </message>
    <message>
        <source>Adds the difference to a box blur</source>
        <translation>Addiert die Differenz zu einer Mittelung</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>Alpha is copied</source>
        <translation>Alpha wird kopiert</translation>
    </message>
    <message>
        <source>Alpha is filtered like the colours, which are multiplied by it</source>
        <translation>Alpha wird gefiltert wie die Farben, die damit multipliziert sind</translation>
    </message>
    <message>
        <source>Amount</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Anchor x</source>
        <translation>Anker x</translation>
    </message>
    <message>
        <source>Anchor y</source>
        <translation>Anker y</translation>
    </message>
    <message>
        <source>Angle</source>
        <translation>Winkel</translation>
    </message>
    <message>
        <source>Border</source>
        <translation>Rand</translation>
    </message>
    <message>
        <source>Border value</source>
        <translation>Randwert</translation>
    </message>
    <message>
        <source>Box</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>Column of the kernel that lies on the pixel, from 0; -1 is the centre, size / 2.</source>
        <translation>Spalte des Kerns, die auf dem Pixel liegt, ab 0; -1 ist die Mitte, Größe / 2.</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Konstant</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>Faltung</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Derivative along x with better rotational symmetry; size 3</source>
        <translation>Ableitung nach x mit besserer Rotationssymmetrie; Größe 3</translation>
    </message>
    <message>
        <source>Derivative along x, mean along y</source>
        <translation>Ableitung nach x, Mittel über y</translation>
    </message>
    <message>
        <source>Derivative along x, smoothed along y</source>
        <translation>Ableitung nach x, geglättet über y</translation>
    </message>
    <message>
        <source>Derivative along y with better rotational symmetry; size 3</source>
        <translation>Ableitung nach y mit besserer Rotationssymmetrie; Größe 3</translation>
    </message>
    <message>
        <source>Derivative along y, mean along x</source>
        <translation>Ableitung nach y, Mittel über x</translation>
    </message>
    <message>
        <source>Derivative along y, smoothed along x</source>
        <translation>Ableitung nach y, geglättet über x</translation>
    </message>
    <message>
        <source>Direction, counter-clockwise from the right.</source>
        <translation>Richtung, gegen den Uhrzeigersinn von rechts.</translation>
    </message>
    <message>
        <source>Divide the weights by their sum, so that brightness stays. Kernels whose sum is zero are left as they are.</source>
        <translation>Die Gewichte durch ihre Summe teilen, damit die Helligkeit bleibt. Kerne mit der Summe null bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Each sample becomes a weighted sum of its neighbourhood: blur, sharpen, find edges, or weights of your own. Volumes are filtered slice by slice.</source>
        <translation>Jeder Wert wird zur gewichteten Summe seiner Umgebung: glätten, schärfen, Kanten finden oder eigene Gewichte. Volumen werden Schicht für Schicht gefiltert.</translation>
    </message>
    <message>
        <source>Emboss</source>
        <translation>Relief</translation>
    </message>
    <message>
        <source>Factor on all weights, after normalising.</source>
        <translation>Faktor für alle Gewichte, nach dem Normieren.</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Flip kernel</source>
        <translation>Kern drehen</translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>Gauß</translation>
    </message>
    <message>
        <source>How much of the difference to the blurred image is added.</source>
        <translation>Wie viel der Differenz zum geglätteten Bild addiert wird.</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>Laplacian</source>
        <translation>Laplace</translation>
    </message>
    <message>
        <source>Laplacian of Gaussian</source>
        <translation>Laplace von Gauß</translation>
    </message>
    <message>
        <source>Mean along a line of the given size and angle</source>
        <translation>Mittel entlang einer Linie der gegebenen Größe und Richtung</translation>
    </message>
    <message>
        <source>Mean over the window</source>
        <translation>Mittel über das Fenster</translation>
    </message>
    <message>
        <source>Mirrored, edge sample not repeated: dcb|abcd|cba</source>
        <translation>Gespiegelt, Randwert nicht wiederholt: dcb|abcd|cba</translation>
    </message>
    <message>
        <source>Mirrored, edge sample repeated: cba|abcd|dcb</source>
        <translation>Gespiegelt, Randwert wiederholt: cba|abcd|dcb</translation>
    </message>
    <message>
        <source>Motion blur</source>
        <translation>Bewegung</translation>
    </message>
    <message>
        <source>Normalise</source>
        <translation>Normieren</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>Periodic: bcd|abcd|abc</source>
        <translation>Periodisch: bcd|abcd|abc</translation>
    </message>
    <message>
        <source>Prewitt x</source>
        <translation>Prewitt x</translation>
    </message>
    <message>
        <source>Prewitt y</source>
        <translation>Prewitt y</translation>
    </message>
    <message>
        <source>Reflect</source>
        <translation>Spiegeln</translation>
    </message>
    <message>
        <source>Reflect 101</source>
        <translation>Spiegeln 101</translation>
    </message>
    <message>
        <source>Relief lit from the angle</source>
        <translation>Relief, beleuchtet aus dem Winkel</translation>
    </message>
    <message>
        <source>Replicate</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Row of the kernel that lies on the pixel, from 0; -1 is the centre, size / 2.</source>
        <translation>Zeile des Kerns, die auf dem Pixel liegt, ab 0; -1 ist die Mitte, Größe / 2.</translation>
    </message>
    <message>
        <source>Rows of numbers, each on a line or ended by &apos;;&apos;, as pasted from NumPy, MATLAB or ImageJ; at most 127 x 127.</source>
        <translation>Zeilen von Zahlen, jede für sich oder mit „;“ beendet, wie aus NumPy, MATLAB oder ImageJ eingefügt; höchstens 127 x 127.</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>Scharr x</source>
        <translation>Scharr x</translation>
    </message>
    <message>
        <source>Scharr y</source>
        <translation>Scharr y</translation>
    </message>
    <message>
        <source>Second derivative of a blurred image</source>
        <translation>Zweite Ableitung eines geglätteten Bildes</translation>
    </message>
    <message>
        <source>Second derivative: edges and spots</source>
        <translation>Zweite Ableitung: Kanten und Flecken</translation>
    </message>
    <message>
        <source>Sharpen</source>
        <translation>Schärfen</translation>
    </message>
    <message>
        <source>Sigma</source>
        <translation>Sigma</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Smooth blur</source>
        <translation>Weiche Glättung</translation>
    </message>
    <message>
        <source>Sobel x</source>
        <translation>Sobel x</translation>
    </message>
    <message>
        <source>Sobel y</source>
        <translation>Sobel y</translation>
    </message>
    <message>
        <source>Standard deviation of the Gaussian. 0 derives it from the size: 0.3 ((size - 1) / 2 - 1) + 0.8. A size of about 6 sigma holds 99.7 % of it.</source>
        <translation>Standardabweichung der Gaußfunktion. 0 leitet sie aus der Größe ab: 0,3 ((Größe - 1) / 2 - 1) + 0,8. Eine Größe von etwa 6 Sigma enthält 99,7 % davon.</translation>
    </message>
    <message>
        <source>The edge sample goes on: aaa|abcd|ddd</source>
        <translation>Der Randwert setzt sich fort: aaa|abcd|ddd</translation>
    </message>
    <message>
        <source>The sample value outside of the image.</source>
        <translation>Der Wert außerhalb des Bildes.</translation>
    </message>
    <message>
        <source>The weights of the window. All but &apos;custom&apos; are made for the given size.</source>
        <translation>Die Gewichte des Fensters. Alle außer „Eigene“ werden für die gegebene Größe berechnet.</translation>
    </message>
    <message>
        <source>Turn the kernel by 180 degrees: true convolution. Off: correlation, as in OpenCV and most tools.</source>
        <translation>Den Kern um 180 Grad drehen: echte Faltung. Aus: Korrelation, wie in OpenCV und den meisten Werkzeugen.</translation>
    </message>
    <message>
        <source>Unsharp mask</source>
        <translation>Unscharf maskieren</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Weights of your own</source>
        <translation>Eigene Gewichte</translation>
    </message>
    <message>
        <source>What happens to the alpha channel. Colours are associated (premultiplied) inside, so filtering both is right for blurs.</source>
        <translation>Was mit dem Alphakanal geschieht. Farben sind intern mit Alpha multipliziert, daher ist für Glättungen richtig, beide zu filtern.</translation>
    </message>
    <message>
        <source>What stands for samples outside of the image.</source>
        <translation>Was für Werte außerhalb des Bildes steht.</translation>
    </message>
    <message>
        <source>Width and height of the window. Cost grows with its square. Derivatives and sharpening need an odd size.</source>
        <translation>Breite und Höhe des Fensters. Der Aufwand wächst mit dem Quadrat. Ableitungen und Schärfen brauchen eine ungerade Größe.</translation>
    </message>
    <message>
        <source>Wrap</source>
        <translation>Umlaufend</translation>
    </message>
    <message>
        <source>centre</source>
        <translation>Mitte</translation>
    </message>
    <message>
        <source>from size</source>
        <translation>aus Größe</translation>
    </message>
    <message>
        <source>&apos;all&apos; but alpha, or names separated by commas, as in R,G. Other channels are copied.</source>
        <translation>„all“ ohne Alpha oder Namen, durch Kommas getrennt, wie R,G. Andere Kanäle werden kopiert.</translation>
    </message>
    <message>
        <source>&apos;auto&apos; maps R, G and B of the first layer, or the only grey channel. Or the names of one or three channels, as in left.R,left.G,left.B. Other channels are copied.</source>
        <translation>„auto“ bildet R, G und B der ersten Ebene ab oder den einzigen Graukanal. Oder die Namen von einem oder drei Kanälen, wie left.R,left.G,left.B. Andere Kanäle werden kopiert.</translation>
    </message>
    <message>
        <source>0.2126 R + 0.7152 G + 0.0722 B: right for sRGB and most files</source>
        <translation>0,2126 R + 0,7152 G + 0,0722 B: richtig für sRGB und die meisten Dateien</translation>
    </message>
    <message>
        <source>0.299 R + 0.587 G + 0.114 B: OpenCV&apos;s</source>
        <translation>0,299 R + 0,587 G + 0,114 B: wie OpenCV</translation>
    </message>
    <message>
        <source>000|abcd|000</source>
        <translation>000|abcd|000</translation>
    </message>
    <message>
        <source>0: all channels adapt to the luminance; 1: each adapts to itself, which takes away a cast of colour.</source>
        <translation>0: alle Kanäle passen sich der Leuchtdichte an; 1: jeder sich selbst, was einen Farbstich nimmt.</translation>
    </message>
    <message>
        <source>0: each pixel adapts to the whole image; 1: each pixel adapts to itself.</source>
        <translation>0: jedes Pixel passt sich dem ganzen Bild an; 1: jedes sich selbst.</translation>
    </message>
    <message>
        <source>62 taps close to Meyer&apos;s wavelet, which is smooth and nearly symmetric</source>
        <translation>62 Gewichte nahe an Meyers Wavelet, das glatt und fast symmetrisch ist</translation>
    </message>
    <message>
        <source>Added to each luminance before its logarithm is taken, so that black pixels do not decide alone.</source>
        <translation>Wird zu jeder Leuchtdichte addiert, bevor ihr Logarithmus genommen wird, damit schwarze Pixel nicht allein entscheiden.</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Along which axes the image is transformed. Leave z out where slices are much farther apart than pixels.</source>
        <translation>Entlang welcher Achsen das Bild transformiert wird. Ohne z, wo Schichten viel weiter auseinander liegen als Pixel.</translation>
    </message>
    <message>
        <source>Antireflect</source>
        <translation>Punktgespiegelt (antireflect)</translation>
    </message>
    <message>
        <source>Antisymmetric</source>
        <translation>Antisymmetrisch</translation>
    </message>
    <message>
        <source>Anything smaller became 0</source>
        <translation>Alles Kleinere wurde 0</translation>
    </message>
    <message>
        <source>As OpenCV</source>
        <translation>Wie OpenCV</translation>
    </message>
    <message>
        <source>As in the paper</source>
        <translation>Wie in der Veröffentlichung</translation>
    </message>
    <message>
        <source>As in the papers</source>
        <translation>Wie in den Veröffentlichungen</translation>
    </message>
    <message>
        <source>As pfstools</source>
        <translation>Wie pfstools</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>Wie gespeichert</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>Achsen</translation>
    </message>
    <message>
        <source>BayesShrink</source>
        <translation>BayesShrink</translation>
    </message>
    <message>
        <source>Bins</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Brighter than white</source>
        <translation>Heller als Weiß</translation>
    </message>
    <message>
        <source>Chosen scale</source>
        <translation>Gewählte Größe</translation>
    </message>
    <message>
        <source>Chromatic adaptation</source>
        <translation>Farbanpassung</translation>
    </message>
    <message>
        <source>Coefficients below the threshold become 0, all others stay: sharper edges, more ringing</source>
        <translation>Koeffizienten unter der Schwelle werden 0, alle anderen bleiben: schärfere Kanten, mehr Überschwingen</translation>
    </message>
    <message>
        <source>Coefficients kept</source>
        <translation>Behaltene Koeffizienten</translation>
    </message>
    <message>
        <source>Coefficients up to the threshold become 0, all others come nearer to 0 by it</source>
        <translation>Koeffizienten bis zur Schwelle werden 0, alle anderen rücken um sie näher an 0</translation>
    </message>
    <message>
        <source>Coefficients up to the threshold become 0, larger ones stay nearly what they are: between soft and hard</source>
        <translation>Koeffizienten bis zur Schwelle werden 0, größere bleiben fast, was sie sind: zwischen weich und hart</translation>
    </message>
    <message>
        <source>Coloured noise, as after a blur or a reconstruction: each level by itself</source>
        <translation>Farbiges Rauschen, wie nach Weichzeichnen oder einer Rekonstruktion: jede Stufe für sich</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Columns and through the slices</source>
        <translation>Spalten und durch die Schichten</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <source>Contrast ceiling</source>
        <translation>Kontrastgrenze</translation>
    </message>
    <message>
        <source>Contrast never becomes larger than in the scene. Without, the histogram is equalised, which exaggerates large areas.</source>
        <translation>Der Kontrast wird nie größer als in der Szene. Ohne das wird das Histogramm eingeebnet, was große Flächen übertreibt.</translation>
    </message>
    <message>
        <source>Custom filters</source>
        <translation>Eigene Filter</translation>
    </message>
    <message>
        <source>Cut by the ceiling</source>
        <translation>Von der Grenze gekappt</translation>
    </message>
    <message>
        <source>Defaults of pfstmo_reinhard02 (phi 1, delta 1e-5) and pfstmo_reinhard05 (chromatic 0.5, light 0.75; add encoding=decode).</source>
        <translation>Vorgaben von pfstmo_reinhard02 (phi 1, delta 1e-5) und pfstmo_reinhard05 (Farbe 0,5, Licht 0,75; dazu encoding=decode).</translation>
    </message>
    <message>
        <source>Delta</source>
        <translation>Delta</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Detail coefficients that are 0</source>
        <translation>Detailkoeffizienten, die 0 sind</translation>
    </message>
    <message>
        <source>Distance of each colour from grey, with its luminance kept: 0 makes it grey, 1 keeps the ratios of the channels.</source>
        <translation>Abstand jeder Farbe von Grau bei gleicher Leuchtdichte: 0 macht grau, 1 behält die Verhältnisse der Kanäle.</translation>
    </message>
    <message>
        <source>Each level</source>
        <translation>Jede Stufe</translation>
    </message>
    <message>
        <source>Each slice of a volume by itself, as for slices far apart</source>
        <translation>Jede Schicht eines Volumens für sich, wie für Schichten mit großem Abstand</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>Kodierung</translation>
    </message>
    <message>
        <source>Epsilon of the paper: a surround grows as long as its contrast stays below this.</source>
        <translation>Epsilon der Veröffentlichung: eine Umgebung wächst, solange ihr Kontrast darunter bleibt.</translation>
    </message>
    <message>
        <source>Exponent m of the paper. 0 takes it from the key of the image, between 0.3 (light images) and 1 (dark ones).</source>
        <translation>Exponent m der Veröffentlichung. 0 nimmt ihn aus der Grundhelligkeit des Bildes, zwischen 0,3 (helle) und 1 (dunkle Bilder).</translation>
    </message>
    <message>
        <source>Exponent m of the photoreceptor model.</source>
        <translation>Exponent m des Fotorezeptor-Modells.</translation>
    </message>
    <message>
        <source>Exponent of the display.</source>
        <translation>Exponent des Bildschirms.</translation>
    </message>
    <message>
        <source>Factor on the thresholds that are found. 0 changes nothing.</source>
        <translation>Faktor auf die gefundenen Schwellen. 0 ändert nichts.</translation>
    </message>
    <message>
        <source>Factors by level</source>
        <translation>Faktoren je Stufe</translation>
    </message>
    <message>
        <source>Factors on the thresholds, the finest level first, separated by blanks; the last one holds for all coarser levels. Empty: 1.</source>
        <translation>Faktoren auf die Schwellen, die feinste Stufe zuerst, durch Leerzeichen getrennt; der letzte gilt für alle gröberen. Leer: 1.</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Filters of your own</source>
        <translation>Eigene Filter</translation>
    </message>
    <message>
        <source>Finest level</source>
        <translation>Feinste Stufe</translation>
    </message>
    <message>
        <source>Fits the light of a high-dynamic-range image into the range of a display, by the operators of the literature. The result is linear light from black (0) to white (1); what is brighter than white is kept and counted.</source>
        <translation>Passt das Licht eines HDR-Bildes in den Umfang eines Bildschirms ein, mit den Operatoren der Literatur. Das Ergebnis ist lineares Licht von Schwarz (0) bis Weiß (1); was heller als Weiß ist, bleibt und wird gezählt.</translation>
    </message>
    <message>
        <source>For each band from noise and spread of its coefficients</source>
        <translation>Für jedes Band aus Rauschen und Streuung seiner Koeffizienten</translation>
    </message>
    <message>
        <source>For the window and for saving: both encode for the display by themselves</source>
        <translation>Für das Fenster und zum Speichern: beide kodieren selbst für den Bildschirm</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>Garrote</source>
        <translation>Garrote</translation>
    </message>
    <message>
        <source>Hard</source>
        <translation>Hart</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>Histogram adjustment</source>
        <translation>Histogrammanpassung</translation>
    </message>
    <message>
        <source>How light is fitted into the range of a display.</source>
        <translation>Wie Licht in den Umfang eines Bildschirms eingepasst wird.</translation>
    </message>
    <message>
        <source>How many sizes a surround can have. Cost grows with the size of the largest one, ratio^scales pixels, at most 1024.</source>
        <translation>Wie viele Größen eine Umgebung haben kann. Der Aufwand wächst mit der größten, Verhältnis^Größen Pixel, höchstens 1024.</translation>
    </message>
    <message>
        <source>How often the approximation is transformed again. 0: as often as leaves coefficients that do not depend on the border, but once at least.</source>
        <translation>Wie oft die Näherung wieder transformiert wird. 0: so oft, dass Koeffizienten bleiben, die nicht vom Rand abhängen, aber mindestens einmal.</translation>
    </message>
    <message>
        <source>How the threshold is found.</source>
        <translation>Wie die Schwelle gefunden wird.</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>In the unit of the samples, for every level unless factors say otherwise.</source>
        <translation>In der Einheit der Werte, für jede Stufe, wenn Faktoren nichts anderes sagen.</translation>
    </message>
    <message>
        <source>Intensity</source>
        <translation>Intensität</translation>
    </message>
    <message>
        <source>Inverse wavelet transform</source>
        <translation>Inverse Wavelet-Transformation</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Grundhelligkeit (key)</translation>
    </message>
    <message>
        <source>Largest luminance</source>
        <translation>Größte Leuchtdichte</translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Light adaptation</source>
        <translation>Lichtanpassung</translation>
    </message>
    <message>
        <source>Linear light</source>
        <translation>Lineares Licht</translation>
    </message>
    <message>
        <source>Log-average luminance</source>
        <translation>Logarithmisches Mittel der Leuchtdichte</translation>
    </message>
    <message>
        <source>Luminance</source>
        <translation>Leuchtdichte</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>Von Hand</translation>
    </message>
    <message>
        <source>Means and differences of neighbours: the shortest filter, 2 taps</source>
        <translation>Mittel und Unterschiede von Nachbarn: das kürzeste Filter, 2 Gewichte</translation>
    </message>
    <message>
        <source>Mirrored about the edge sample as a point: 2 a - b</source>
        <translation>Am Randwert als Punkt gespiegelt: 2 a - b</translation>
    </message>
    <message>
        <source>Mirrored with the sign changed, edge sample repeated</source>
        <translation>Gespiegelt mit anderem Vorzeichen, Randwert wiederholt</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>Noise estimated from</source>
        <translation>Rauschen geschätzt aus</translation>
    </message>
    <message>
        <source>Noise times sqrt(2 ln n) for n samples: above it noise alone hardly ever comes</source>
        <translation>Rauschen mal sqrt(2 ln n) für n Werte: darüber kommt Rauschen allein fast nie</translation>
    </message>
    <message>
        <source>Noise, standard deviation</source>
        <translation>Rauschen, Standardabweichung</translation>
    </message>
    <message>
        <source>Numbers of the papers: key 0.18, phi 8, epsilon 0.05, 8 scales from 1 pixel on; m from the image, no chromatic and full light adaptation; 100 bins for a display of 1 to 100.</source>
        <translation>Zahlen der Veröffentlichungen: Grundhelligkeit 0,18, phi 8, epsilon 0,05, 8 Größen ab 1 Pixel; m aus dem Bild, keine Farb- und volle Lichtanpassung; 100 Klassen für einen Bildschirm von 1 bis 100.</translation>
    </message>
    <message>
        <source>Of all counts of the histogram.</source>
        <translation>Von allen Zählungen des Histogramms.</translation>
    </message>
    <message>
        <source>Of all pixels without NaN and infinity.</source>
        <translation>Aller Pixel ohne NaN und Unendlich.</translation>
    </message>
    <message>
        <source>Of the finest details, in units of the samples</source>
        <translation>Der feinsten Details, in der Einheit der Werte</translation>
    </message>
    <message>
        <source>Of the histogram of brightness.</source>
        <translation>Des Histogramms der Helligkeit.</translation>
    </message>
    <message>
        <source>Of the image. 0: as stored, else the even one of the two heights that give as many coefficients.</source>
        <translation>Des Bildes. 0: wie gespeichert, sonst die gerade der beiden Höhen, die so viele Koeffizienten geben.</translation>
    </message>
    <message>
        <source>Of the image. 0: as stored, else the even one of the two widths that give as many coefficients.</source>
        <translation>Des Bildes. 0: wie gespeichert, sonst die gerade der beiden Breiten, die so viele Koeffizienten geben.</translation>
    </message>
    <message>
        <source>Of the resulting samples.</source>
        <translation>Der Ergebniswerte.</translation>
    </message>
    <message>
        <source>One scaling filter of an orthogonal wavelet, or decLo; recLo, or decLo; decHi; recLo; recHi: numbers by blanks or commas, filters on lines or ended by &apos;;&apos;.</source>
        <translation>Ein Skalierungsfilter eines orthogonalen Wavelets oder decLo; recLo oder decLo; decHi; recLo; recHi: Zahlen durch Leerzeichen oder Kommas, Filter in Zeilen oder durch „;“ beendet.</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Orthogonal, 2 n taps, as nearly symmetric as that allows: features stay in place</source>
        <translation>Orthogonal, 2 n Gewichte, so symmetrisch wie damit möglich: Merkmale bleiben an ihrem Ort</translation>
    </message>
    <message>
        <source>Orthogonal, 6 n taps, with vanishing moments of the scaling function too: approximations are near to samples</source>
        <translation>Orthogonal, 6 n Gewichte, verschwindende Momente auch der Skalierungsfunktion: Näherungen sind nah an den Werten</translation>
    </message>
    <message>
        <source>Orthogonal, the shortest filter for its number of vanishing moments: 2 n taps</source>
        <translation>Orthogonal, das kürzeste Filter für seine Zahl verschwindender Momente: 2 n Gewichte</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Overall brightness, in powers of e: larger is brighter.</source>
        <translation>Gesamthelligkeit, in Potenzen von e: größer ist heller.</translation>
    </message>
    <message>
        <source>Periodic</source>
        <translation>Periodisch</translation>
    </message>
    <message>
        <source>Periodic with as many coefficients as samples</source>
        <translation>Periodisch mit so vielen Koeffizienten wie Werten</translation>
    </message>
    <message>
        <source>Periodization</source>
        <translation>Periodisierung</translation>
    </message>
    <message>
        <source>Phi of the paper: the larger, the larger the surround of a pixel may be in spite of contrast in it.</source>
        <translation>Phi der Veröffentlichung: je größer, desto größer darf die Umgebung eines Pixels trotz Kontrast darin sein.</translation>
    </message>
    <message>
        <source>Photographic, global</source>
        <translation>Fotografisch, global</translation>
    </message>
    <message>
        <source>Photographic, local</source>
        <translation>Fotografisch, lokal</translation>
    </message>
    <message>
        <source>Photoreceptor</source>
        <translation>Fotorezeptor</translation>
    </message>
    <message>
        <source>Pixels with a channel above 1: a display clips them.</source>
        <translation>Pixel mit einem Kanal über 1: ein Bildschirm kappt sie.</translation>
    </message>
    <message>
        <source>Puts an image or a volume together again from its wavelet coefficients. Coefficients say how they were made and how large the image was, also in files that keep such texts; parameters say it where they do not.</source>
        <translation>Setzt ein Bild oder Volumen aus seinen Wavelet-Koeffizienten wieder zusammen. Koeffizienten sagen, wie sie entstanden und wie groß das Bild war, auch in Dateien, die solche Texte behalten; sonst sagen es Parameter.</translation>
    </message>
    <message>
        <source>Range of display</source>
        <translation>Umfang des Bildschirms</translation>
    </message>
    <message>
        <source>Ratio of scales</source>
        <translation>Verhältnis der Größen</translation>
    </message>
    <message>
        <source>Rec. 601</source>
        <translation>Rec. 601</translation>
    </message>
    <message>
        <source>Rec. 709</source>
        <translation>Rec. 709</translation>
    </message>
    <message>
        <source>Reinhard and Devlin 2005: the answer of adapted photoreceptors; OpenCV&apos;s TonemapReinhard</source>
        <translation>Reinhard und Devlin 2005: die Antwort angepasster Fotorezeptoren; OpenCVs TonemapReinhard</translation>
    </message>
    <message>
        <source>Reinhard et al. 2002: dodging and burning, each pixel against the mean of its surround</source>
        <translation>Reinhard u. a. 2002: Abwedeln und Nachbelichten, jedes Pixel gegen das Mittel seiner Umgebung</translation>
    </message>
    <message>
        <source>Reinhard et al. 2002: one curve for the whole image, after the zone system of photography</source>
        <translation>Reinhard u. a. 2002: eine Kurve für das ganze Bild, nach dem Zonensystem der Fotografie</translation>
    </message>
    <message>
        <source>Removes noise: transforms, takes small details for noise and makes them smaller or 0, and transforms back.</source>
        <translation>Entfernt Rauschen: transformiert, hält kleine Details für Rauschen, macht sie kleiner oder 0 und transformiert zurück.</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Rows and through the slices</source>
        <translation>Zeilen und durch die Schichten</translation>
    </message>
    <message>
        <source>Samples ready for a display, as other tools give them; save them with --encoding linear</source>
        <translation>Werte fertig für einen Bildschirm, wie andere Programme sie geben; mit --encoding linear speichern</translation>
    </message>
    <message>
        <source>Samples to the power of 1 / gamma, as other tools give them; save them with --encoding linear</source>
        <translation>Werte hoch 1 / Gamma, wie andere Programme sie geben; mit --encoding linear speichern</translation>
    </message>
    <message>
        <source>Saturation</source>
        <translation>Sättigung</translation>
    </message>
    <message>
        <source>Scales</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>Share of all finite coefficients</source>
        <translation>Anteil an allen endlichen Koeffizienten</translation>
    </message>
    <message>
        <source>Share of the coefficients that is kept, the largest ones of each channel; all others become 0. 100 gives the image back.</source>
        <translation>Anteil der Koeffizienten, der bleibt, die größten jedes Kanals; alle anderen werden 0. 100 gibt das Bild zurück.</translation>
    </message>
    <message>
        <source>Share of the details that shrinking left nothing of</source>
        <translation>Anteil der Details, von denen nichts übrig blieb</translation>
    </message>
    <message>
        <source>Sharpening</source>
        <translation>Schärfung</translation>
    </message>
    <message>
        <source>Shows what a part of the wavelet coefficients is worth: keeps the largest ones, makes all others 0, and transforms back.</source>
        <translation>Zeigt, was ein Teil der Wavelet-Koeffizienten wert ist: behält die größten, macht alle anderen 0 und transformiert zurück.</translation>
    </message>
    <message>
        <source>Size of a surround divided by that of the one before.</source>
        <translation>Größe einer Umgebung geteilt durch die der vorigen.</translation>
    </message>
    <message>
        <source>Slices of the volume. 0: as stored, else the even one of the two depths that give as many coefficients.</source>
        <translation>Schichten des Volumens. 0: wie gespeichert, sonst die gerade der beiden Tiefen, die so viele Koeffizienten geben.</translation>
    </message>
    <message>
        <source>Smallest kept coefficient</source>
        <translation>Kleinster behaltener Koeffizient</translation>
    </message>
    <message>
        <source>Smooth</source>
        <translation>Glatt</translation>
    </message>
    <message>
        <source>Soft</source>
        <translation>Weich</translation>
    </message>
    <message>
        <source>Splits an image or a volume into an approximation and details of several sizes: low and high frequencies along each axis, at half the resolution, again for the approximation of each level. The result is a mosaic of all bands, the approximation in the corner.</source>
        <translation>Zerlegt ein Bild oder Volumen in eine Näherung und Details mehrerer Größen: tiefe und hohe Frequenzen entlang jeder Achse, in halber Auflösung, wieder für die Näherung jeder Stufe. Das Ergebnis ist ein Mosaik aller Bänder, die Näherung in der Ecke.</translation>
    </message>
    <message>
        <source>Standard deviation of the noise, in the unit of the samples. 0: estimated from the median of the finest diagonal details.</source>
        <translation>Standardabweichung des Rauschens in der Einheit der Werte. 0: geschätzt aus dem Median der feinsten diagonalen Details.</translation>
    </message>
    <message>
        <source>Straight lines through the two outermost samples</source>
        <translation>Geraden durch die zwei äußersten Werte</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Symmetric</source>
        <translation>Symmetrisch</translation>
    </message>
    <message>
        <source>Symmetric splines for synthesis, their duals for analysis; 4.4 is the 9/7 pair of JPEG 2000</source>
        <translation>Symmetrische Splines für die Synthese, ihre dualen für die Analyse; 4.4 ist das 9/7-Paar von JPEG 2000</translation>
    </message>
    <message>
        <source>Symmetric; the biorthogonal pair with analysis and synthesis exchanged</source>
        <translation>Symmetrisch; das biorthogonale Paar mit vertauschter Analyse und Synthese</translation>
    </message>
    <message>
        <source>That of the transform.</source>
        <translation>Der der Transformation.</translation>
    </message>
    <message>
        <source>That of the transform. If the coefficients name another one, nothing is done.</source>
        <translation>Das der Transformation. Nennen die Koeffizienten ein anderes, geschieht nichts.</translation>
    </message>
    <message>
        <source>That of the transform: it says how many coefficients there are.</source>
        <translation>Der der Transformation: er sagt, wie viele Koeffizienten es gibt.</translation>
    </message>
    <message>
        <source>The filter pair. Longer filters have more vanishing moments: smooth parts need fewer coefficients, but edges reach farther.</source>
        <translation>Das Filterpaar. Längere Filter haben mehr verschwindende Momente: glatte Teile brauchen weniger Koeffizienten, aber Kanten reichen weiter.</translation>
    </message>
    <message>
        <source>The luminance of the image that becomes white; what is brighter is burnt out. 0 takes the largest luminance of the image.</source>
        <translation>Die Leuchtdichte des Bildes, die weiß wird; Helleres brennt aus. 0 nimmt die größte des Bildes.</translation>
    </message>
    <message>
        <source>The luminance that became white.</source>
        <translation>Die Leuchtdichte, die weiß wurde.</translation>
    </message>
    <message>
        <source>The photoreceptor model with OpenCV&apos;s defaults and luminance: what its TonemapReinhard gives.</source>
        <translation>Das Fotorezeptor-Modell mit OpenCVs Vorgaben und Leuchtdichte: was sein TonemapReinhard gibt.</translation>
    </message>
    <message>
        <source>The threshold given here</source>
        <translation>Die hier gegebene Schwelle</translation>
    </message>
    <message>
        <source>The tone-mapped image</source>
        <translation>Das tonwertabgebildete Bild</translation>
    </message>
    <message>
        <source>The weights that the operator&apos;s paper uses</source>
        <translation>Die Gewichte aus der Veröffentlichung des Operators</translation>
    </message>
    <message>
        <source>Those of the transform.</source>
        <translation>Die der Transformation.</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Threshold from</source>
        <translation>Schwelle aus</translation>
    </message>
    <message>
        <source>Thresholding</source>
        <translation>Schwellenwertverfahren</translation>
    </message>
    <message>
        <source>Through the slices</source>
        <translation>Durch die Schichten</translation>
    </message>
    <message>
        <source>Tone mapping</source>
        <translation>Tonwertabbildung</translation>
    </message>
    <message>
        <source>Universal</source>
        <translation>Universell</translation>
    </message>
    <message>
        <source>Ward Larson et al. 1997: the display&apos;s range goes to the brightnesses that the image has most of</source>
        <translation>Ward Larson u. a. 1997: der Umfang des Bildschirms geht an die Helligkeiten, von denen das Bild am meisten hat</translation>
    </message>
    <message>
        <source>Wavelet</source>
        <translation>Wavelet</translation>
    </message>
    <message>
        <source>Wavelet compression</source>
        <translation>Wavelet-Kompression</translation>
    </message>
    <message>
        <source>Wavelet denoising</source>
        <translation>Wavelet-Entrauschung</translation>
    </message>
    <message>
        <source>Wavelet transform</source>
        <translation>Wavelet-Transformation</translation>
    </message>
    <message>
        <source>What counts as the luminance of a colour. Grey images are their own luminance.</source>
        <translation>Was als Leuchtdichte einer Farbe zählt. Graubilder sind ihre eigene.</translation>
    </message>
    <message>
        <source>What happens to detail coefficients. The approximation stays.</source>
        <translation>Was mit Detailkoeffizienten geschieht. Die Näherung bleibt.</translation>
    </message>
    <message>
        <source>What is taken for noise at this level; of BayesShrink the mean of its bands</source>
        <translation>Was auf dieser Stufe für Rauschen gehalten wird; bei BayesShrink das Mittel ihrer Bänder</translation>
    </message>
    <message>
        <source>What stands for samples outside of the image, by PyWavelets&apos; names. All but periodization give some coefficients more.</source>
        <translation>Was für Werte außerhalb des Bildes steht, mit den Namen von PyWavelets. Alle außer Periodisierung geben einige Koeffizienten mehr.</translation>
    </message>
    <message>
        <source>What the coefficients say about themselves, else the default of the transform</source>
        <translation>Was die Koeffizienten über sich sagen, sonst die Vorgabe der Transformation</translation>
    </message>
    <message>
        <source>What the key is made of: exp of the mean of log(delta + luminance).</source>
        <translation>Woraus die Grundhelligkeit entsteht: exp des Mittels von log(delta + Leuchtdichte).</translation>
    </message>
    <message>
        <source>What the log-average luminance becomes: 0.18 is middle grey, less for dark scenes, more for bright ones.</source>
        <translation>Was aus dem logarithmischen Mittel der Leuchtdichte wird: 0,18 ist mittleres Grau, weniger für dunkle, mehr für helle Szenen.</translation>
    </message>
    <message>
        <source>What the result shows.</source>
        <translation>Was das Ergebnis zeigt.</translation>
    </message>
    <message>
        <source>Which details tell how strong the noise is.</source>
        <translation>Welche Details sagen, wie stark das Rauschen ist.</translation>
    </message>
    <message>
        <source>Which surround each pixel got: 0 the smallest one, 1 the largest one</source>
        <translation>Welche Umgebung jedes Pixel bekam: 0 die kleinste, 1 die größte</translation>
    </message>
    <message>
        <source>White noise: the same in every level</source>
        <translation>Weißes Rauschen: gleich in jeder Stufe</translation>
    </message>
    <message>
        <source>White of the display divided by its black.</source>
        <translation>Weiß des Bildschirms geteilt durch sein Schwarz.</translation>
    </message>
    <message>
        <source>White point</source>
        <translation>Weißpunkt</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Zero</source>
        <translation>Null</translation>
    </message>
    <message>
        <source>as many as fit</source>
        <translation>so viele, wie passen</translation>
    </message>
    <message>
        <source>as stored</source>
        <translation>wie gespeichert</translation>
    </message>
    <message>
        <source>bcd|abcd|abc</source>
        <translation>bcd|abcd|abc</translation>
    </message>
    <message>
        <source>bior1.1 (Biorthogonal)</source>
        <translation>bior1.1 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior1.3 (Biorthogonal)</source>
        <translation>bior1.3 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior1.5 (Biorthogonal)</source>
        <translation>bior1.5 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior2.2 (Biorthogonal)</source>
        <translation>bior2.2 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior2.4 (Biorthogonal)</source>
        <translation>bior2.4 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior2.6 (Biorthogonal)</source>
        <translation>bior2.6 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior2.8 (Biorthogonal)</source>
        <translation>bior2.8 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior3.1 (Biorthogonal)</source>
        <translation>bior3.1 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior3.3 (Biorthogonal)</source>
        <translation>bior3.3 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior3.5 (Biorthogonal)</source>
        <translation>bior3.5 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior3.7 (Biorthogonal)</source>
        <translation>bior3.7 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior3.9 (Biorthogonal)</source>
        <translation>bior3.9 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior4.4 (Biorthogonal)</source>
        <translation>bior4.4 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior5.5 (Biorthogonal)</source>
        <translation>bior5.5 (biorthogonal)</translation>
    </message>
    <message>
        <source>bior6.8 (Biorthogonal)</source>
        <translation>bior6.8 (biorthogonal)</translation>
    </message>
    <message>
        <source>coif1 (Coiflet)</source>
        <translation>coif1 (Coiflet)</translation>
    </message>
    <message>
        <source>coif2 (Coiflet)</source>
        <translation>coif2 (Coiflet)</translation>
    </message>
    <message>
        <source>coif3 (Coiflet)</source>
        <translation>coif3 (Coiflet)</translation>
    </message>
    <message>
        <source>coif4 (Coiflet)</source>
        <translation>coif4 (Coiflet)</translation>
    </message>
    <message>
        <source>coif5 (Coiflet)</source>
        <translation>coif5 (Coiflet)</translation>
    </message>
    <message>
        <source>db1 (Daubechies)</source>
        <translation>db1 (Daubechies)</translation>
    </message>
    <message>
        <source>db10 (Daubechies)</source>
        <translation>db10 (Daubechies)</translation>
    </message>
    <message>
        <source>db11 (Daubechies)</source>
        <translation>db11 (Daubechies)</translation>
    </message>
    <message>
        <source>db12 (Daubechies)</source>
        <translation>db12 (Daubechies)</translation>
    </message>
    <message>
        <source>db13 (Daubechies)</source>
        <translation>db13 (Daubechies)</translation>
    </message>
    <message>
        <source>db14 (Daubechies)</source>
        <translation>db14 (Daubechies)</translation>
    </message>
    <message>
        <source>db15 (Daubechies)</source>
        <translation>db15 (Daubechies)</translation>
    </message>
    <message>
        <source>db16 (Daubechies)</source>
        <translation>db16 (Daubechies)</translation>
    </message>
    <message>
        <source>db17 (Daubechies)</source>
        <translation>db17 (Daubechies)</translation>
    </message>
    <message>
        <source>db18 (Daubechies)</source>
        <translation>db18 (Daubechies)</translation>
    </message>
    <message>
        <source>db19 (Daubechies)</source>
        <translation>db19 (Daubechies)</translation>
    </message>
    <message>
        <source>db2 (Daubechies)</source>
        <translation>db2 (Daubechies)</translation>
    </message>
    <message>
        <source>db20 (Daubechies)</source>
        <translation>db20 (Daubechies)</translation>
    </message>
    <message>
        <source>db3 (Daubechies)</source>
        <translation>db3 (Daubechies)</translation>
    </message>
    <message>
        <source>db4 (Daubechies)</source>
        <translation>db4 (Daubechies)</translation>
    </message>
    <message>
        <source>db5 (Daubechies)</source>
        <translation>db5 (Daubechies)</translation>
    </message>
    <message>
        <source>db6 (Daubechies)</source>
        <translation>db6 (Daubechies)</translation>
    </message>
    <message>
        <source>db7 (Daubechies)</source>
        <translation>db7 (Daubechies)</translation>
    </message>
    <message>
        <source>db8 (Daubechies)</source>
        <translation>db8 (Daubechies)</translation>
    </message>
    <message>
        <source>db9 (Daubechies)</source>
        <translation>db9 (Daubechies)</translation>
    </message>
    <message>
        <source>dmey (Discrete Meyer)</source>
        <translation>dmey (diskretes Meyer)</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>from image</source>
        <translation>aus Bild</translation>
    </message>
    <message>
        <source>haar</source>
        <translation>haar</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>größte</translation>
    </message>
    <message>
        <source>rbio1.1 (Reverse biorthogonal)</source>
        <translation>rbio1.1 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio1.3 (Reverse biorthogonal)</source>
        <translation>rbio1.3 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio1.5 (Reverse biorthogonal)</source>
        <translation>rbio1.5 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio2.2 (Reverse biorthogonal)</source>
        <translation>rbio2.2 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio2.4 (Reverse biorthogonal)</source>
        <translation>rbio2.4 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio2.6 (Reverse biorthogonal)</source>
        <translation>rbio2.6 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio2.8 (Reverse biorthogonal)</source>
        <translation>rbio2.8 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio3.1 (Reverse biorthogonal)</source>
        <translation>rbio3.1 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio3.3 (Reverse biorthogonal)</source>
        <translation>rbio3.3 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio3.5 (Reverse biorthogonal)</source>
        <translation>rbio3.5 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio3.7 (Reverse biorthogonal)</source>
        <translation>rbio3.7 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio3.9 (Reverse biorthogonal)</source>
        <translation>rbio3.9 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio4.4 (Reverse biorthogonal)</source>
        <translation>rbio4.4 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio5.5 (Reverse biorthogonal)</source>
        <translation>rbio5.5 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>rbio6.8 (Reverse biorthogonal)</source>
        <translation>rbio6.8 (umgekehrt biorthogonal)</translation>
    </message>
    <message>
        <source>sRGB</source>
        <translation>sRGB</translation>
    </message>
    <message>
        <source>sym10 (Symlet)</source>
        <translation>sym10 (Symlet)</translation>
    </message>
    <message>
        <source>sym11 (Symlet)</source>
        <translation>sym11 (Symlet)</translation>
    </message>
    <message>
        <source>sym12 (Symlet)</source>
        <translation>sym12 (Symlet)</translation>
    </message>
    <message>
        <source>sym13 (Symlet)</source>
        <translation>sym13 (Symlet)</translation>
    </message>
    <message>
        <source>sym14 (Symlet)</source>
        <translation>sym14 (Symlet)</translation>
    </message>
    <message>
        <source>sym15 (Symlet)</source>
        <translation>sym15 (Symlet)</translation>
    </message>
    <message>
        <source>sym16 (Symlet)</source>
        <translation>sym16 (Symlet)</translation>
    </message>
    <message>
        <source>sym17 (Symlet)</source>
        <translation>sym17 (Symlet)</translation>
    </message>
    <message>
        <source>sym18 (Symlet)</source>
        <translation>sym18 (Symlet)</translation>
    </message>
    <message>
        <source>sym19 (Symlet)</source>
        <translation>sym19 (Symlet)</translation>
    </message>
    <message>
        <source>sym2 (Symlet)</source>
        <translation>sym2 (Symlet)</translation>
    </message>
    <message>
        <source>sym20 (Symlet)</source>
        <translation>sym20 (Symlet)</translation>
    </message>
    <message>
        <source>sym3 (Symlet)</source>
        <translation>sym3 (Symlet)</translation>
    </message>
    <message>
        <source>sym4 (Symlet)</source>
        <translation>sym4 (Symlet)</translation>
    </message>
    <message>
        <source>sym5 (Symlet)</source>
        <translation>sym5 (Symlet)</translation>
    </message>
    <message>
        <source>sym6 (Symlet)</source>
        <translation>sym6 (Symlet)</translation>
    </message>
    <message>
        <source>sym7 (Symlet)</source>
        <translation>sym7 (Symlet)</translation>
    </message>
    <message>
        <source>sym8 (Symlet)</source>
        <translation>sym8 (Symlet)</translation>
    </message>
    <message>
        <source>sym9 (Symlet)</source>
        <translation>sym9 (Symlet)</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>x and y</source>
        <translation>x und y</translation>
    </message>
    <message>
        <source>x and z</source>
        <translation>x und z</translation>
    </message>
    <message>
        <source>x, y, and z of volumes</source>
        <translation>x, y und z von Volumen</translation>
    </message>
    <message>
        <source>y</source>
        <translation>y</translation>
    </message>
    <message>
        <source>y and z</source>
        <translation>y und z</translation>
    </message>
    <message>
        <source>z</source>
        <translation>z</translation>
    </message>
    <message>
        <source>Decode sRGB</source>
        <translation>sRGB dekodieren</translation>
    </message>
    <message>
        <source>Display luminance</source>
        <translation>Leuchtdichte der Anzeige</translation>
    </message>
    <message>
        <source>How bright grey pixels become; with the local operator where the surround is as bright as the pixel, so that pixels brighter than their surround lie above the curve.</source>
        <translation>Wie hell graue Pixel werden; beim lokalen Operator dort, wo die Umgebung so hell ist wie das Pixel: Pixel, die heller sind als ihre Umgebung, liegen über der Kurve.</translation>
    </message>
    <message>
        <source>Takes the result for what a display is sent and makes it light: as pfstools shows the photoreceptor model, less pale</source>
        <translation>Nimmt das Ergebnis als das, was ein Bildschirm bekommt, und macht daraus Licht: wie pfstools das Fotorezeptor-Modell zeigt, weniger blass</translation>
    </message>
    <message>
        <source>Approximation</source>
        <translation>Näherung</translation>
    </message>
    <message>
        <source>Details along x</source>
        <translation>Details entlang x</translation>
    </message>
    <message>
        <source>Details along x, y</source>
        <translation>Details entlang x, y</translation>
    </message>
    <message>
        <source>Details along x, y, z</source>
        <translation>Details entlang x, y, z</translation>
    </message>
    <message>
        <source>Details along x, z</source>
        <translation>Details entlang x, z</translation>
    </message>
    <message>
        <source>Details along y</source>
        <translation>Details entlang y</translation>
    </message>
    <message>
        <source>Details along y, z</source>
        <translation>Details entlang y, z</translation>
    </message>
    <message>
        <source>Details along z</source>
        <translation>Details entlang z</translation>
    </message>
    <message>
        <source>0 to 1 along x; each channel in another direction</source>
        <translation>0 bis 1 entlang x; jeder Kanal in einer anderen Richtung</translation>
    </message>
    <message>
        <source>2^-10 to 2^10 in equal ratios along x</source>
        <translation>2^-10 bis 2^10 in gleichen Verhältnissen entlang x</translation>
    </message>
    <message>
        <source>All spatial frequencies: shows aliasing and frequency response</source>
        <translation>Alle Ortsfrequenzen: zeigt Aliasing und Frequenzgang</translation>
    </message>
    <message>
        <source>Checker</source>
        <translation>Schachbrett</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>HDR ramp</source>
        <translation>HDR-Rampe</translation>
    </message>
    <message>
        <source>Head phantom of ellipses, in 2D or 3D</source>
        <translation>Kopfphantom aus Ellipsen, in 2D oder 3D</translation>
    </message>
    <message>
        <source>Impulse</source>
        <translation>Impuls</translation>
    </message>
    <message>
        <source>One sample of 1 in the middle: shows the kernel</source>
        <translation>Ein Wert von 1 in der Mitte: zeigt den Kern</translation>
    </message>
    <message>
        <source>Shepp-Logan phantom</source>
        <translation>Shepp-Logan-Phantom</translation>
    </message>
    <message>
        <source>Squares of 8 pixels</source>
        <translation>Quadrate von 8 Pixeln</translation>
    </message>
    <message>
        <source>Uniform in [0, 1), from the seed</source>
        <translation>Gleichverteilt in [0, 1), aus dem Startwert</translation>
    </message>
    <message>
        <source>Zone plate</source>
        <translation>Zonenplatte</translation>
    </message>
</context>
<context>
    <name>choice</name>
    <message>
        <source>asked for by name</source>
        <translation>namentlich verlangt</translation>
    </message>
    <message>
        <source>the first of its backend that can do this</source>
        <translation>die erste ihres Backends, die das kann</translation>
    </message>
</context>
<context>
    <name>formatting</name>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
</context>
<context>
    <name>lab</name>
    <message>
        <source>Width and height [px]</source>
        <translation>Breite und Höhe [px]</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>parallax::ui::AboutDialog</name>
    <message>
        <source>About Parallax</source>
        <translation>Über Parallax</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Parallax %1&lt;/h3&gt;&lt;p&gt;Image operations on swappable backends, compared and measured.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later. Not for clinical use.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Parallax %1&lt;/h3&gt;&lt;p&gt;Bildoperationen auf austauschbaren Backends, verglichen und gemessen.&lt;/p&gt;&lt;p&gt;Freie Software unter der GNU General Public License, Version 3 oder später. Nicht für den klinischen Einsatz.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Versions, licences and devices</source>
        <translation>Versionen, Lizenzen und Geräte</translation>
    </message>
    <message>
        <source>What this program is made of and what it runs on: please add it when you report a fault</source>
        <translation>Woraus dieses Programm besteht und worauf es läuft: bitte bei Fehlermeldungen beifügen</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy versions, licences and devices as text</source>
        <translation>Versionen, Lizenzen und Geräte als Text kopieren</translation>
    </message>
    <message>
        <source>Close this window (Esc)</source>
        <translation>Dieses Fenster schließen (Esc)</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ChartPage</name>
    <message>
        <source>Numbers: %1</source>
        <translation>Zahlen: %1</translation>
    </message>
    <message>
        <source>The numbers of the chart. Enter or a double click: B shows that run. Ctrl+C copies what is selected.</source>
        <translation>Die Zahlen des Diagramms. Eingabetaste oder Doppelklick: B zeigt diesen Lauf. Strg+C kopiert, was ausgewählt ist.</translation>
    </message>
    <message>
        <source>What the numbers say</source>
        <translation>Was die Zahlen sagen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>Was soll geschehen?</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Befehle suchen</translation>
    </message>
    <message>
        <source>A few letters of a command, its menu or its shortcut. Arrow keys choose, Enter runs, Esc closes.</source>
        <translation>Einige Buchstaben eines Befehls, seines Menüs oder seines Tastenkürzels. Pfeiltasten wählen, Enter führt aus, Esc schließt.</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Nothing is called like that</source>
        <translation>Nichts heißt so</translation>
    </message>
    <message>
        <source>Not possible now: %1</source>
        <translation>Jetzt nicht möglich: %1</translation>
    </message>
</context>
<context>
    <name>parallax::ui::CompareChart</name>
    <message>
        <source>faster</source>
        <translation>schneller</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>langsamer</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>undecided</source>
        <translation>unentschieden</translation>
    </message>
    <message>
        <source>Comparison with a past run</source>
        <translation>Vergleich mit einem früheren Lauf</translation>
    </message>
    <message>
        <source>Compute time now divided by that of the chosen past run; whiskers are 95 % intervals. Left of the line it has become faster.</source>
        <translation>Rechenzeit jetzt geteilt durch die des gewählten früheren Laufs; die Striche sind 95-%-Intervalle. Links der Linie ist es schneller geworden.</translation>
    </message>
    <message>
        <source>History

Choose a past run and press Compare to see what has become faster or slower since.</source>
        <translation>Verlauf

Einen früheren Lauf wählen und auf Vergleichen drücken, um zu sehen, was seitdem schneller oder langsamer geworden ist.</translation>
    </message>
    <message>
        <source>History

No backend was measured in both runs.</source>
        <translation>Verlauf

Kein Backend wurde in beiden Läufen gemessen.</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Median of compute in the past run</source>
        <translation>Median der Rechenzeit im früheren Lauf</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Median of compute</source>
        <translation>Median der Rechenzeit</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <source>Time now divided by time before</source>
        <translation>Zeit jetzt geteilt durch Zeit vorher</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>95 % interval of the ratio</source>
        <translation>95-%-Intervall des Verhältnisses</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>From the 99 % interval; within 2 % it is the same</source>
        <translation>Aus dem 99-%-Intervall; bis 2 % gilt es als gleich</translation>
    </message>
    <message>
        <source>Time now over time in %1</source>
        <translation>Zeit jetzt gegenüber %1</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <source>%1: %2 before, %3 now, %4 (%5 – %6), %7</source>
        <translation>%1: vorher %2, jetzt %3, %4 (%5 – %6), %7</translation>
    </message>
</context>
<context>
    <name>parallax::ui::CompareView</name>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>|B − A|</source>
        <translation>|B − A|</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>relativ</translation>
    </message>
    <message>
        <source>(B − A)²</source>
        <translation>(B − A)²</translation>
    </message>
    <message>
        <source>Result B, looking at the same place as A.</source>
        <translation>Ergebnis B, an derselben Stelle wie A.</translation>
    </message>
    <message>
        <source>The image as it was opened.</source>
        <translation>Das Bild, wie es geöffnet wurde.</translation>
    </message>
    <message>
        <source>B − A: of all channels the largest difference, signed, absolute, relative or squared as chosen in the inspector. Signed: blue is below zero, orange above. Else: the lighter, the larger.</source>
        <translation>B − A: die größte Differenz aller Kanäle, mit Vorzeichen, absolut, relativ oder quadriert, wie im Inspektor gewählt. Mit Vorzeichen: Blau ist unter null, Orange darüber. Sonst: je heller, desto größer.</translation>
    </message>
    <message>
        <source>A is left of the line, B right of it. Drag the line, or press comma and full stop.</source>
        <translation>A ist links der Linie, B rechts. Die Linie lässt sich ziehen, auch mit Komma und Punkt.</translation>
    </message>
    <message>
        <source>Result A. Wheel zooms at the cursor, dragging pans, a double click fits.</source>
        <translation>Ergebnis A. Das Mausrad zoomt am Zeiger, Ziehen verschiebt, ein Doppelklick passt ein.</translation>
    </message>
    <message>
        <source>Wipe: A left, B right</source>
        <translation>Wischen: A links, B rechts</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>is the reference</source>
        <translation>ist die Referenz</translation>
    </message>
    <message>
        <source>✗ %1 samples differ in NaN or infinity from the reference</source>
        <translation>✗ %1 Werte unterscheiden sich in NaN oder Unendlich von der Referenz</translation>
    </message>
    <message>
        <source>✗ error %1 against reference (allowed %2)</source>
        <translation>✗ Fehler %1 gegen die Referenz (erlaubt %2)</translation>
    </message>
    <message>
        <source>✓ error %1 against reference</source>
        <translation>✓ Fehler %1 gegen die Referenz</translation>
    </message>
    <message>
        <source>checking against reference …</source>
        <translation>wird mit der Referenz verglichen …</translation>
    </message>
    <message>
        <source>error %1 against %2</source>
        <translation>Fehler %1 gegen %2</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>Wird berechnet …</translation>
    </message>
    <message>
        <source>nothing to do</source>
        <translation>nichts zu tun</translation>
    </message>
    <message>
        <source>no step is switched on: this is the original</source>
        <translation>kein Schritt ist eingeschaltet: dies ist das Original</translation>
    </message>
    <message>
        <source>this run %1 · %2</source>
        <translation>dieser Lauf %1 · %2</translation>
    </message>
    <message>
        <source>computing …</source>
        <translation>wird berechnet …</translation>
    </message>
    <message>
        <source> – key B shows B</source>
        <translation> – Taste B zeigt B</translation>
    </message>
    <message>
        <source> – key B shows A</source>
        <translation> – Taste B zeigt A</translation>
    </message>
    <message>
        <source>identical</source>
        <translation>identisch</translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>max. %1</translation>
    </message>
    <message>
        <source>RMSE %1 · PSNR %2 dB</source>
        <translation>RMSE %1 · PSNR %2 dB</translation>
    </message>
    <message>
        <source>%1 samples differ in NaN or infinity</source>
        <translation>%1 Werte unterscheiden sich in NaN oder Unendlich</translation>
    </message>
    <message>
        <source>No difference: one side has no result</source>
        <translation>Keine Differenz: eine Seite hat kein Ergebnis</translation>
    </message>
    <message>
        <source>A ran %1</source>
        <translation>A lief als %1</translation>
    </message>
    <message>
        <source>B ran %1</source>
        <translation>B lief als %1</translation>
    </message>
    <message>
        <source>✓ near a threshold %1 samples are decided otherwise than by the reference, error up to %2</source>
        <translation>✓ nahe einer Schwelle sind %1 Werte anders entschieden als von der Referenz, Fehler bis %2</translation>
    </message>
    <message>
        <source> · PSNR %1 dB against the original</source>
        <translation> · PSNR %1 dB gegen das Original</translation>
    </message>
    <message>
        <source>error %1 against reference, not judged: the bound allows any result</source>
        <translation>Fehler %1 gegen die Referenz, nicht beurteilt: Die Schranke erlaubt jedes Ergebnis</translation>
    </message>
    <message>
        <source>✗ error %1 against reference in %2, each step alone (allowed %3)</source>
        <translation>✗ Fehler %1 gegen die Referenz in %2, jeder Schritt für sich (erlaubt %3)</translation>
    </message>
    <message>
        <source>✓ error %1 against reference in %2, each step alone</source>
        <translation>✓ Fehler %1 gegen die Referenz in %2, jeder Schritt für sich</translation>
    </message>
</context>
<context>
    <name>parallax::ui::DeviceBadge</name>
    <message>
        <source>What runs where</source>
        <translation>Was wo läuft</translation>
    </message>
    <message>
        <source>Backend and device that really made the results. Nothing falls back silently.</source>
        <translation>Backend und Gerät, die die Ergebnisse wirklich berechnet haben. Nichts weicht stillschweigend aus.</translation>
    </message>
    <message>
        <source> – failed</source>
        <translation> – fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 ran on %2</source>
        <translation>%1 lief auf %2</translation>
    </message>
    <message>
        <source> · CPU, %1</source>
        <translation> · CPU, %1</translation>
    </message>
</context>
<context>
    <name>parallax::ui::EmptyState</name>
    <message>
        <source>Open an image to begin</source>
        <translation>Zum Anfangen ein Bild öffnen</translation>
    </message>
    <message>
        <source>Drop a file here, or choose one. Two backends filter it at once,
side by side, with their difference and the time of each.</source>
        <translation>Eine Datei hier ablegen oder eine wählen. Zwei Backends filtern sie sofort,
nebeneinander, mit ihrer Differenz und ihren Zeiten.</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Open the sample</source>
        <translation>Beispiel öffnen</translation>
    </message>
    <message>
        <source>Generate …</source>
        <translation>Erzeugen …</translation>
    </message>
    <message>
        <source>Opened lately</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>parallax::ui::EnergyChart</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Energy of the sub-bands</source>
        <translation>Energie der Teilbänder</translation>
    </message>
    <message>
        <source>Sum of the squares of the coefficients of each sub-band, on a scale of decades. Where an operation changes them, the original stands beside the result. Click a bar: the mosaic shows this sub-band alone. Right click: copy or save.</source>
        <translation>Summe der Quadrate der Koeffizienten jedes Teilbands, in Zehnerpotenzen. Wo eine Operation sie ändert, steht das Original neben dem Ergebnis. Klick auf einen Balken: das Mosaik zeigt dieses Teilband allein. Rechtsklick: kopieren oder speichern.</translation>
    </message>
    <message>
        <source>Energy

Sub-bands are compared here as soon as there are some.</source>
        <translation>Energie

Teilbänder werden hier verglichen, sobald es welche gibt.</translation>
    </message>
    <message>
        <source>%1, level %2</source>
        <translation>%1, Stufe %2</translation>
    </message>
    <message>
        <source>Sub-band</source>
        <translation>Teilband</translation>
    </message>
    <message>
        <source>a: approximation, d: details; the level, then the axes of the details</source>
        <translation>a: Näherung, d: Details; die Stufe, dann die Achsen der Details</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>1 is the finest</source>
        <translation>1 ist die feinste</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Sum of the squares of its coefficients</source>
        <translation>Summe der Quadrate seiner Koeffizienten</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Part of the energy of all sub-bands</source>
        <translation>Teil der Energie aller Teilbänder</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>Effektivwert</translation>
    </message>
    <message>
        <source>Root of the mean square of its coefficients</source>
        <translation>Wurzel aus dem mittleren Quadrat seiner Koeffizienten</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größter</translation>
    </message>
    <message>
        <source>Largest magnitude</source>
        <translation>Größter Betrag</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>Part of its coefficients that is 0</source>
        <translation>Teil seiner Koeffizienten, der 0 ist</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>Verstärkung</translation>
    </message>
    <message>
        <source>For viewing alone: data never change</source>
        <translation>Nur für die Ansicht: Daten ändern sich nie</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Coefficients along x, y and z</source>
        <translation>Koeffizienten entlang x, y und z</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Energy of the same sub-band of the original</source>
        <translation>Energie desselben Teilbands des Originals</translation>
    </message>
    <message>
        <source>sum of squares</source>
        <translation>Quadratsumme</translation>
    </message>
    <message>
        <source>result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>%1 (%2), %3: energy %4</source>
        <translation>%1 (%2), %3: Energie %4</translation>
    </message>
</context>
<context>
    <name>parallax::ui::FindingsLabel</name>
    <message>
        <source>Found out by the last run:</source>
        <translation>Vom letzten Lauf festgestellt:</translation>
    </message>
</context>
<context>
    <name>parallax::ui::GenerateDialog</name>
    <message>
        <source>Width in pixels</source>
        <translation>Breite in Pixeln</translation>
    </message>
    <message>
        <source>Height in pixels</source>
        <translation>Höhe in Pixeln</translation>
    </message>
    <message>
        <source>1: grey, 3: colour, 4: colour and alpha</source>
        <translation>1: Grau, 3: Farbe, 4: Farbe und Alpha</translation>
    </message>
    <message>
        <source>Same seed, same noise</source>
        <translation>Gleicher Startwert, gleiches Rauschen</translation>
    </message>
    <message>
        <source>Generate an image</source>
        <translation>Bild erzeugen</translation>
    </message>
    <message>
        <source>What is drawn: the same request gives the same samples everywhere</source>
        <translation>Was gezeichnet wird: dieselbe Vorgabe ergibt überall dieselben Werte</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>Erzeugen</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>&amp;Art</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>&amp;Breite</translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation>&amp;Höhe</translation>
    </message>
    <message>
        <source>&amp;Channels</source>
        <translation>&amp;Kanäle</translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation>&amp;Startwert</translation>
    </message>
</context>
<context>
    <name>parallax::ui::HistogramPanel</name>
    <message>
        <source>log counts</source>
        <translation>Anzahl log.</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Which image is counted</source>
        <translation>Welches Bild gezählt wird</translation>
    </message>
    <message>
        <source>Image of the histogram</source>
        <translation>Bild des Histogramms</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>logarithmic</source>
        <translation>logarithmisch</translation>
    </message>
    <message>
        <source>Axis of values. Automatic: logarithmic when positive values reach far beyond 1.</source>
        <translation>Achse der Werte. Automatisch: logarithmisch, wenn positive Werte weit über 1 reichen.</translation>
    </message>
    <message>
        <source>Scale of values</source>
        <translation>Skala der Werte</translation>
    </message>
    <message>
        <source>whole image</source>
        <translation>ganzes Bild</translation>
    </message>
    <message>
        <source>what is visible</source>
        <translation>Sichtbares</translation>
    </message>
    <message>
        <source>selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Which pixels are counted. Without a selection: all.</source>
        <translation>Welche Pixel gezählt werden. Ohne Auswahl: alle.</translation>
    </message>
    <message>
        <source>Part of the image</source>
        <translation>Teil des Bildes</translation>
    </message>
    <message>
        <source>Logarithmic axis of counts: rare values become visible</source>
        <translation>Logarithmische Achse der Anzahl: seltene Werte werden sichtbar</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Least, largest and mean finite sample of each channel, and how many are NaN or infinite</source>
        <translation>Kleinster, größter und mittlerer endlicher Wert jedes Kanals, und wie viele NaN oder unendlich sind</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>%1 … %2, mean %3</source>
        <translation>%1 … %2, Mittel %3</translation>
    </message>
    <message>
        <source>, %1 NaN</source>
        <translation>, %1 NaN</translation>
    </message>
    <message>
        <source>, %1 infinite</source>
        <translation>, %1 unendlich</translation>
    </message>
    <message>
        <source>, %1 left of the axis</source>
        <translation>, %1 links der Achse</translation>
    </message>
    <message>
        <source>each channel</source>
        <translation>jeder Kanal</translation>
    </message>
    <message>
        <source>luminance</source>
        <translation>Leuchtdichte</translation>
    </message>
    <message>
        <source>What of each pixel is counted: its channels, or its luminance by Rec. 709. Automatic: the luminance, on a logarithmic axis, while a step has a curve to draw over it.</source>
        <translation>Was von jedem Pixel gezählt wird: seine Kanäle oder seine Leuchtdichte nach Rec. 709. Automatisch: die Leuchtdichte auf einer logarithmischen Achse, solange ein Schritt eine Kurve hat, die darüber liegt.</translation>
    </message>
    <message>
        <source>What is counted</source>
        <translation>Was gezählt wird</translation>
    </message>
    <message>
        <source>How often each value occurs, per channel. The solid line is what is shown as white, the dashed one what is shown as black: drag them to set exposure and offset of the view. Data never change. The thick line is the curve that a step applied, with its axis at the right.</source>
        <translation>Wie oft jeder Wert vorkommt, je Kanal. Die durchgezogene Linie ist, was weiß gezeigt wird, die gestrichelte, was schwarz gezeigt wird: sie zu ziehen stellt Belichtung und Versatz der Ansicht ein. Daten ändern sich nie. Die dicke Linie ist die Kurve, die ein Schritt angewandt hat, mit ihrer Achse rechts.</translation>
    </message>
    <message>
        <source>Curve of the step</source>
        <translation>Kurve des Schritts</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>shown, %</source>
        <translation>gezeigt, %</translation>
    </message>
    <message>
        <source>Curve: %1 → %2</source>
        <translation>Kurve: %1 → %2</translation>
    </message>
    <message>
        <source>%1: %2 %</source>
        <translation>%1: %2 %</translation>
    </message>
    <message>
        <source>Window and level</source>
        <translation>Fenster und Lage</translation>
    </message>
    <message>
        <source>The values that are shown from black to white: the band in the histogram, with a dotted line at the level in its middle</source>
        <translation>Die Werte, die von Schwarz bis Weiß gezeigt werden: das Band im Histogramm, mit einer gepunkteten Linie an der Lage in seiner Mitte</translation>
    </message>
    <message>
        <source>Nothing to count</source>
        <translation>Nichts zu zählen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Level %1, width %2: from %3 to %4</source>
        <translation>Lage %1, Breite %2: von %3 bis %4</translation>
    </message>
</context>
<context>
    <name>parallax::ui::HistoryPage</name>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Past runs</source>
        <translation>Frühere Läufe</translation>
    </message>
    <message>
        <source>Every finished benchmark and sweep, the newest first. Enter or a double click shows it.</source>
        <translation>Jede abgeschlossene Messung und Messreihe, die neueste zuerst. Eingabetaste oder Doppelklick zeigt sie.</translation>
    </message>
    <message>
        <source>Let all charts show this run; they say that it is not of this session</source>
        <translation>Alle Diagramme zeigen diesen Lauf und sagen, dass er nicht aus dieser Sitzung ist</translation>
    </message>
    <message>
        <source>Compare what the charts show with this run as the baseline</source>
        <translation>Was die Diagramme zeigen, mit diesem Lauf als Basis vergleichen</translation>
    </message>
    <message>
        <source>Remove this run from the history; a report saved elsewhere stays</source>
        <translation>Diesen Lauf aus dem Verlauf entfernen; ein anderswo gespeicherter Bericht bleibt</translation>
    </message>
    <message>
        <source>Open report …</source>
        <translation>Bericht öffnen …</translation>
    </message>
    <message>
        <source>Show a JSON report from elsewhere and add it to the history</source>
        <translation>Einen JSON-Bericht von anderswo anzeigen und in den Verlauf aufnehmen</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>The report that it was opened from</source>
        <translation>Der Bericht, aus dem er stammt</translation>
    </message>
    <message>
        <source>%1, %2 points</source>
        <translation>%1, %2 Punkte</translation>
    </message>
    <message>
        <source>%1
Backends: %2</source>
        <translation>%1
Backends: %2</translation>
    </message>
    <message>
        <source>Open a report</source>
        <translation>Einen Bericht öffnen</translation>
    </message>
    <message>
        <source>Reports (*.json)</source>
        <translation>Berichte (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>parallax::ui::InspectorPanel</name>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Largest differences</source>
        <translation>Größte Differenzen</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Form of the samples</source>
        <translation>Form der Werte</translation>
    </message>
    <message>
        <source>Linear: the data. Display: the 256 steps of the screen after exposure, offset and encoding, or in hexadecimal.</source>
        <translation>Linear: die Daten. Anzeige: die 256 Stufen des Bildschirms nach Belichtung, Versatz und Kodierung, oder hexadezimal.</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>display</source>
        <translation>Anzeige</translation>
    </message>
    <message>
        <source>hex</source>
        <translation>hex</translation>
    </message>
    <message>
        <source>Samples under the cursor</source>
        <translation>Werte unter dem Zeiger</translation>
    </message>
    <message>
        <source>Linear samples under the cursor. NaN and infinity are shown as such.</source>
        <translation>Lineare Werte unter dem Zeiger. NaN und Unendlich werden als solche gezeigt.</translation>
    </message>
    <message>
        <source>Pixel</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>B against A over all channels. PSNR refers to the largest finite |A|. The border band is where border rules matter.</source>
        <translation>B gegen A über alle Kanäle. PSNR bezieht sich auf das größte endliche |A|. Der Rand ist dort, wo die Randregel wirkt.</translation>
    </message>
    <message>
        <source>Difference B − A</source>
        <translation>Differenz B − A</translation>
    </message>
    <message>
        <source>Search metadata</source>
        <translation>Metadaten durchsuchen</translation>
    </message>
    <message>
        <source>Show only entries whose name or value contains this text</source>
        <translation>Nur Einträge zeigen, deren Name oder Wert diesen Text enthält</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>x %1, y %2</source>
        <translation>x %1, y %2</translation>
    </message>
    <message>
        <source>Move the mouse over an image</source>
        <translation>Maus über ein Bild bewegen</translation>
    </message>
    <message>
        <source>Nothing compared yet</source>
        <translation>Noch nichts verglichen</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größte</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>RMSE</translation>
    </message>
    <message>
        <source>Relative L2</source>
        <translation>Relative L2-Norm</translation>
    </message>
    <message>
        <source>PSNR (peak %1)</source>
        <translation>PSNR (Spitze %1)</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>Border band / interior</source>
        <translation>Rand / Inneres</translation>
    </message>
    <message>
        <source>NaN or infinity differ</source>
        <translation>NaN oder Unendlich verschieden</translation>
    </message>
    <message>
        <source>What the file says about itself, by name. Ctrl+C copies what is selected.</source>
        <translation>Was die Datei über sich sagt, nach Namen. Strg+C kopiert, was ausgewählt ist.</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Volumen</translation>
    </message>
    <message>
        <source>x %1, y %2, z %3</source>
        <translation>x %1, y %2, z %3</translation>
    </message>
    <message>
        <source>Window and level</source>
        <translation>Fenster und Lage</translation>
    </message>
    <message>
        <source>%1, in %2</source>
        <translation>%1, in %2</translation>
    </message>
</context>
<context>
    <name>parallax::ui::KernelEditor</name>
    <message>
        <source>Weight in row %1, column %2</source>
        <translation>Gewicht in Zeile %1, Spalte %2</translation>
    </message>
    <message>
        <source>Edit the kernel</source>
        <translation>Kern bearbeiten</translation>
    </message>
    <message>
        <source>There are no weights yet: these leave the image as it is.</source>
        <translation>Es gibt noch keine Gewichte: diese lassen das Bild, wie es ist.</translation>
    </message>
    <message>
        <source>The weights could not be read, so this begins anew: %1.</source>
        <translation>Die Gewichte waren nicht lesbar, daher beginnt dies neu: %1.</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Type over an element, or paste a matrix from NumPy, MATLAB or ImageJ. Row and column count from 0.</source>
        <translation>Ein Element überschreiben oder eine Matrix aus NumPy, MATLAB oder ImageJ einfügen. Zeilen und Spalten zählen ab 0.</translation>
    </message>
    <message>
        <source>Sum and rank</source>
        <translation>Summe und Rang</translation>
    </message>
    <message>
        <source>A kernel of rank 1 is a column times a row: backends can filter with it in two quick passes. The rank counts singular values above float accuracy.</source>
        <translation>Ein Kern vom Rang 1 ist eine Spalte mal eine Zeile: Backends können damit in zwei schnellen Durchgängen filtern. Der Rang zählt Singulärwerte über der Genauigkeit von float.</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>Was nicht stimmt</translation>
    </message>
    <message>
        <source>Keep these weights</source>
        <translation>Diese Gewichte behalten</translation>
    </message>
    <message>
        <source>Back to the weights as they were</source>
        <translation>Zurück zu den vorigen Gewichten</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Height of the kernel, 1 to %1. Weights keep their place around the centre.</source>
        <translation>Höhe des Kerns, 1 bis %1. Gewichte behalten ihren Platz um die Mitte.</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Width of the kernel, 1 to %1. Weights keep their place around the centre.</source>
        <translation>Breite des Kerns, 1 bis %1. Gewichte behalten ihren Platz um die Mitte.</translation>
    </message>
    <message>
        <source>&amp;Start from</source>
        <translation>&amp;Beginnen mit</translation>
    </message>
    <message>
        <source>Replace the weights by those of a built-in kernel of about this size</source>
        <translation>Die Gewichte durch die eines eingebauten Kerns etwa dieser Größe ersetzen</translation>
    </message>
    <message>
        <source>&amp;Rows</source>
        <translation>&amp;Zeilen</translation>
    </message>
    <message>
        <source>C&amp;olumns</source>
        <translation>S&amp;palten</translation>
    </message>
    <message>
        <source>Flip &amp;left–right</source>
        <translation>&amp;Links–rechts spiegeln</translation>
    </message>
    <message>
        <source>Mirror the columns</source>
        <translation>Spalten spiegeln</translation>
    </message>
    <message>
        <source>Flip &amp;up–down</source>
        <translation>&amp;Oben–unten spiegeln</translation>
    </message>
    <message>
        <source>Mirror the rows</source>
        <translation>Zeilen spiegeln</translation>
    </message>
    <message>
        <source>Rotate &amp;90°</source>
        <translation>Um &amp;90° drehen</translation>
    </message>
    <message>
        <source>Turn by 90 degrees, clockwise</source>
        <translation>Um 90 Grad im Uhrzeigersinn drehen</translation>
    </message>
    <message>
        <source>&amp;Transpose</source>
        <translation>&amp;Transponieren</translation>
    </message>
    <message>
        <source>Exchange rows and columns</source>
        <translation>Zeilen und Spalten vertauschen</translation>
    </message>
    <message>
        <source>&amp;Normalise</source>
        <translation>&amp;Normieren</translation>
    </message>
    <message>
        <source>Divide by the sum, so that brightness stays; not where the sum is 0</source>
        <translation>Durch die Summe teilen, damit die Helligkeit bleibt; nicht bei der Summe 0</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Replace the weights by the matrix in the clipboard: text of NumPy, MATLAB or ImageJ (Ctrl+V in the grid)</source>
        <translation>Die Gewichte durch die Matrix der Zwischenablage ersetzen: Text aus NumPy, MATLAB oder ImageJ (Strg+V in der Tabelle)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Put the weights into the clipboard, rows on lines (Ctrl+C in the grid)</source>
        <translation>Die Gewichte in die Zwischenablage legen, eine Zeile je Zeile (Strg+C in der Tabelle)</translation>
    </message>
    <message>
        <source>That is no matrix: %1. %2.</source>
        <translation>Das ist keine Matrix: %1. %2.</translation>
    </message>
    <message>
        <source>Sum %1 · %2</source>
        <translation>Summe %1 · %2</translation>
    </message>
    <message>
        <source>rank 1, separable</source>
        <translation>Rang 1, separierbar</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
</context>
<context>
    <name>parallax::ui::KernelModel</name>
    <message>
        <source>Row %1, column %2: %3</source>
        <translation>Zeile %1, Spalte %2: %3</translation>
    </message>
</context>
<context>
    <name>parallax::ui::KernelPlot</name>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Weights as colours</source>
        <translation>Gewichte als Farben</translation>
    </message>
    <message>
        <source>Blue below 0, orange above. The circle marks the centre, which lies on the pixel unless an anchor is given.</source>
        <translation>Blau unter 0, Orange darüber. Der Kreis markiert die Mitte, die auf dem Pixel liegt, wenn kein Anker angegeben ist.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Lab</name>
    <message>
        <source>about %1 s left</source>
        <translation>noch etwa %1 s</translation>
    </message>
    <message>
        <source>about %1 min left</source>
        <translation>noch etwa %1 min</translation>
    </message>
    <message>
        <source>Sweep over %1</source>
        <translation>Messreihe über %1</translation>
    </message>
    <message>
        <source>Point %1 of %2 (%3)</source>
        <translation>Punkt %1 von %2 (%3)</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Sweep: point %1 of %2</source>
        <translation>Messreihe: Punkt %1 von %2</translation>
    </message>
    <message>
        <source>Preparing the sweep</source>
        <translation>Die Messreihe wird vorbereitet</translation>
    </message>
    <message>
        <source>Ended after %1 of %2 points</source>
        <translation>Beendet nach %1 von %2 Punkten</translation>
    </message>
    <message>
        <source>Measuring the roofs of this machine</source>
        <translation>Die Obergrenzen dieses Rechners werden gemessen</translation>
    </message>
    <message>
        <source>Preparing the view</source>
        <translation>Die Ansicht wird vorbereitet</translation>
    </message>
    <message>
        <source>Reading the history</source>
        <translation>Der Verlauf wird gelesen</translation>
    </message>
    <message>
        <source>Keeping the measurement</source>
        <translation>Die Messung wird aufbewahrt</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>The charts show %1</source>
        <translation>Die Diagramme zeigen %1</translation>
    </message>
    <message>
        <source>it was not measured in this session</source>
        <translation>es wurde nicht in dieser Sitzung gemessen</translation>
    </message>
    <message>
        <source>There is nothing to compare with it yet</source>
        <translation>Es gibt noch nichts, was damit zu vergleichen wäre</translation>
    </message>
    <message>
        <source>nothing has been measured</source>
        <translation>nichts wurde gemessen</translation>
    </message>
    <message>
        <source>no such sweep has been made</source>
        <translation>eine solche Messreihe gibt es nicht</translation>
    </message>
    <message>
        <source>Measure first, or show another past run</source>
        <translation>Zuerst messen oder einen anderen früheren Lauf anzeigen</translation>
    </message>
    <message>
        <source>Comparing with %1</source>
        <translation>Vergleich mit %1</translation>
    </message>
</context>
<context>
    <name>parallax::ui::LiveChart</name>
    <message>
        <source>Chart of single runs</source>
        <translation>Diagramm der einzelnen Läufe</translation>
    </message>
    <message>
        <source>The compute time of every timed run in its order, as it arrives. A trend is drift, single points far away are disturbances; none is dropped.</source>
        <translation>Die Rechenzeit jedes gemessenen Laufs in seiner Reihenfolge, sobald er da ist. Ein Trend ist Drift, einzelne ferne Punkte sind Störungen; keiner wird verworfen.</translation>
    </message>
    <message>
        <source>Runs

Press Benchmark to see each timed run of each backend as it is measured.</source>
        <translation>Läufe

Auf Benchmark drücken, um jeden Lauf jedes Backends zu sehen, während er gemessen wird.</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Last</source>
        <translation>Letzter</translation>
    </message>
    <message>
        <source>Compute time of the last run</source>
        <translation>Rechenzeit des letzten Laufs</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>Schnellster</translation>
    </message>
    <message>
        <source>Slowest</source>
        <translation>Langsamster</translation>
    </message>
    <message>
        <source>Compute time of each run</source>
        <translation>Rechenzeit jedes Laufs</translation>
    </message>
    <message>
        <source>%1 – from %2</source>
        <translation>%1 – aus %2</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>%1, run %2: %3</source>
        <translation>%1, Lauf %2: %3</translation>
    </message>
</context>
<context>
    <name>parallax::ui::MainWindow</name>
    <message>
        <source>Pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Open images</source>
        <translation>Bilder öffnen</translation>
    </message>
    <message>
        <source>Images (%1)</source>
        <translation>Bilder (%1)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>%1 – Parallax</source>
        <translation>%1 – Parallax</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>&amp;Open …</source>
        <translation>&amp;Öffnen …</translation>
    </message>
    <message>
        <source>&amp;Sample</source>
        <translation>Beis&amp;piel</translation>
    </message>
    <message>
        <source>Ctrl+Shift+O</source>
        <translation>Ctrl+Shift+O</translation>
    </message>
    <message>
        <source>Open the bundled sample</source>
        <translation>Das mitgelieferte Beispiel öffnen</translation>
    </message>
    <message>
        <source>&amp;Generate …</source>
        <translation>&amp;Erzeugen …</translation>
    </message>
    <message>
        <source>Make a test image</source>
        <translation>Ein Testbild erzeugen</translation>
    </message>
    <message>
        <source>&amp;Next image</source>
        <translation>Nä&amp;chstes Bild</translation>
    </message>
    <message>
        <source>Show the next of the opened images</source>
        <translation>Das nächste der geöffneten Bilder zeigen</translation>
    </message>
    <message>
        <source>&amp;Previous image</source>
        <translation>&amp;Voriges Bild</translation>
    </message>
    <message>
        <source>Show the previous of the opened images</source>
        <translation>Das vorige der geöffneten Bilder zeigen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+S</source>
        <translation>Ctrl+Shift+S</translation>
    </message>
    <message>
        <source>Ctrl+Alt+S</source>
        <translation>Ctrl+Alt+S</translation>
    </message>
    <message>
        <source>Export &amp;report …</source>
        <translation>Ber&amp;icht exportieren …</translation>
    </message>
    <message>
        <source>Ctrl+R</source>
        <translation>Ctrl+R</translation>
    </message>
    <message>
        <source>Open re&amp;cipe …</source>
        <translation>&amp;Rezept öffnen …</translation>
    </message>
    <message>
        <source>Ctrl+Alt+O</source>
        <translation>Ctrl+Alt+O</translation>
    </message>
    <message>
        <source>Replace the pipeline by one from a file</source>
        <translation>Die Pipeline durch eine aus einer Datei ersetzen</translation>
    </message>
    <message>
        <source>Save rec&amp;ipe …</source>
        <translation>Rezept &amp;speichern …</translation>
    </message>
    <message>
        <source>Ctrl+Alt+R</source>
        <translation>Ctrl+Alt+R</translation>
    </message>
    <message>
        <source>Write the pipeline, for here and for parallax-cli --recipe</source>
        <translation>Die Pipeline schreiben, für hier und für parallax-cli --recipe</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Close Parallax</source>
        <translation>Parallax schließen</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Undo the last change of the pipeline</source>
        <translation>Die letzte Änderung der Pipeline rückgängig machen</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Do again what was undone</source>
        <translation>Rückgängig Gemachtes wiederholen</translation>
    </message>
    <message>
        <source>&amp;Benchmark</source>
        <translation>&amp;Benchmark</translation>
    </message>
    <message>
        <source>Measure the pipeline on every available backend</source>
        <translation>Die Pipeline auf jedem verfügbaren Backend messen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop what is running and close the message</source>
        <translation>Beenden, was gerade läuft, und die Meldung schließen</translation>
    </message>
    <message>
        <source>S&amp;wap A and B</source>
        <translation>A und B &amp;tauschen</translation>
    </message>
    <message>
        <source>Exchange the backends of A and B</source>
        <translation>Die Backends von A und B vertauschen</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>Ein&amp;passen</translation>
    </message>
    <message>
        <source>Ctrl+9</source>
        <translation>Ctrl+9</translation>
    </message>
    <message>
        <source>Show the whole image</source>
        <translation>Das ganze Bild zeigen</translation>
    </message>
    <message>
        <source>Actual &amp;pixels</source>
        <translation>&amp;Tatsächliche Pixel</translation>
    </message>
    <message>
        <source>Ctrl+0</source>
        <translation>Ctrl+0</translation>
    </message>
    <message>
        <source>One image pixel is one pixel of the screen</source>
        <translation>Ein Bildpixel ist ein Pixel des Bildschirms</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Show it larger</source>
        <translation>Größer zeigen</translation>
    </message>
    <message>
        <source>&amp;Zoom out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Show it smaller</source>
        <translation>Kleiner zeigen</translation>
    </message>
    <message>
        <source>Bri&amp;ghter</source>
        <translation>&amp;Heller</translation>
    </message>
    <message>
        <source>Raise the exposure of the view by half a stop</source>
        <translation>Die Belichtung der Ansicht um eine halbe Blende erhöhen</translation>
    </message>
    <message>
        <source>Dar&amp;ker</source>
        <translation>D&amp;unkler</translation>
    </message>
    <message>
        <source>Shift+E</source>
        <translation>Shift+E</translation>
    </message>
    <message>
        <source>Lower the exposure of the view by half a stop</source>
        <translation>Die Belichtung der Ansicht um eine halbe Blende senken</translation>
    </message>
    <message>
        <source>Automatic exposure</source>
        <translation>Automatische Belichtung</translation>
    </message>
    <message>
        <source>Choose the exposure so that 99 % of the pixels, of the selection if there is one, are no brighter than white</source>
        <translation>Die Belichtung so wählen, dass 99 % der Pixel, gegebenenfalls der Auswahl, höchstens weiß sind</translation>
    </message>
    <message>
        <source>&amp;Mark clipping</source>
        <translation>Übersteuerung &amp;markieren</translation>
    </message>
    <message>
        <source>Colour what is brighter than white or darker than black</source>
        <translation>Färben, was heller als Weiß oder dunkler als Schwarz ist</translation>
    </message>
    <message>
        <source>Pi&amp;xel grid</source>
        <translation>Pi&amp;xelraster</translation>
    </message>
    <message>
        <source>Lines and values of pixels that are shown large enough</source>
        <translation>Linien und Werte von Pixeln, die groß genug gezeigt werden</translation>
    </message>
    <message>
        <source>Select by &amp;dragging</source>
        <translation>Durch &amp;Ziehen auswählen</translation>
    </message>
    <message>
        <source>Dragging selects a rectangle, and with Shift moves the image; otherwise the other way round</source>
        <translation>Ziehen wählt ein Rechteck aus und verschiebt mit Umschalt das Bild; sonst umgekehrt</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>&amp;Alles auswählen</translation>
    </message>
    <message>
        <source>Select all pixels: statistics of the whole image</source>
        <translation>Alle Pixel auswählen: Statistik des ganzen Bildes</translation>
    </message>
    <message>
        <source>Select what is &amp;visible</source>
        <translation>&amp;Sichtbares auswählen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+A</source>
        <translation>Ctrl+Shift+A</translation>
    </message>
    <message>
        <source>Select the pixels that the panes show</source>
        <translation>Die Pixel auswählen, die gezeigt werden</translation>
    </message>
    <message>
        <source>Select &amp;nothing</source>
        <translation>&amp;Nichts auswählen</translation>
    </message>
    <message>
        <source>Ctrl+D</source>
        <translation>Ctrl+D</translation>
    </message>
    <message>
        <source>Remove the selection</source>
        <translation>Die Auswahl entfernen</translation>
    </message>
    <message>
        <source>&amp;Reset values</source>
        <translation>Werte &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Show values as at first: exposure 0, signed difference with automatic range</source>
        <translation>Werte zeigen wie am Anfang: Belichtung 0, Differenz mit Vorzeichen und automatischem Bereich</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>Vollb&amp;ild</translation>
    </message>
    <message>
        <source>Use the whole screen</source>
        <translation>Den ganzen Bildschirm nutzen</translation>
    </message>
    <message>
        <source>Reset &amp;layout</source>
        <translation>Anordnung zurü&amp;cksetzen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+L</source>
        <translation>Ctrl+Shift+L</translation>
    </message>
    <message>
        <source>Put all docks back to where they were at first</source>
        <translation>Alle Felder dorthin zurücksetzen, wo sie am Anfang waren</translation>
    </message>
    <message>
        <source>&amp;Command palette …</source>
        <translation>&amp;Befehle suchen …</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Ctrl+K</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P</source>
        <translation>Ctrl+Shift+P</translation>
    </message>
    <message>
        <source>Find everything that can be done by a few letters</source>
        <translation>Mit wenigen Buchstaben alles finden, was möglich ist</translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>List all keyboard shortcuts</source>
        <translation>Alle Tastenkürzel auflisten</translation>
    </message>
    <message>
        <source>&amp;Messages</source>
        <translation>&amp;Meldungen</translation>
    </message>
    <message>
        <source>Ctrl+M</source>
        <translation>Ctrl+M</translation>
    </message>
    <message>
        <source>Errors and notes since the window was opened</source>
        <translation>Fehler und Hinweise, seit das Fenster geöffnet wurde</translation>
    </message>
    <message>
        <source>&amp;About Parallax</source>
        <translation>&amp;Über Parallax</translation>
    </message>
    <message>
        <source>Version, build, libraries, devices and licences</source>
        <translation>Version, Übersetzung, Bibliotheken, Geräte und Lizenzen</translation>
    </message>
    <message>
        <source>A &amp;alone</source>
        <translation>A &amp;allein</translation>
    </message>
    <message>
        <source>Ctrl+1</source>
        <translation>Ctrl+1</translation>
    </message>
    <message>
        <source>Show result A alone</source>
        <translation>Ergebnis A allein zeigen</translation>
    </message>
    <message>
        <source>A and &amp;B</source>
        <translation>A und &amp;B</translation>
    </message>
    <message>
        <source>Ctrl+2</source>
        <translation>Ctrl+2</translation>
    </message>
    <message>
        <source>Show A and B side by side</source>
        <translation>A und B nebeneinander zeigen</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleich</translation>
    </message>
    <message>
        <source>Ctrl+3</source>
        <translation>Ctrl+3</translation>
    </message>
    <message>
        <source>Show A, B and their difference</source>
        <translation>A, B und ihre Differenz zeigen</translation>
    </message>
    <message>
        <source>&amp;Difference</source>
        <translation>&amp;Differenz</translation>
    </message>
    <message>
        <source>Ctrl+4</source>
        <translation>Ctrl+4</translation>
    </message>
    <message>
        <source>Show the difference alone</source>
        <translation>Die Differenz allein zeigen</translation>
    </message>
    <message>
        <source>&amp;Wipe</source>
        <translation>&amp;Wischen</translation>
    </message>
    <message>
        <source>Ctrl+5</source>
        <translation>Ctrl+5</translation>
    </message>
    <message>
        <source>Show A and B in one pane, with a line between them to drag</source>
        <translation>A und B in einem Feld zeigen, mit einer Linie dazwischen zum Ziehen</translation>
    </message>
    <message>
        <source>Wip&amp;e line to the left</source>
        <translation>Wischlinie nach &amp;links</translation>
    </message>
    <message>
        <source>Move the line of the wipe to the left: more of B</source>
        <translation>Die Linie nach links bewegen: mehr von B</translation>
    </message>
    <message>
        <source>Wipe line to the rig&amp;ht</source>
        <translation>Wischlinie nach &amp;rechts</translation>
    </message>
    <message>
        <source>Move the line of the wipe to the right: more of A</source>
        <translation>Die Linie nach rechts bewegen: mehr von A</translation>
    </message>
    <message>
        <source>Flicker A a&amp;nd B</source>
        <translation>A u&amp;nd B im Wechsel</translation>
    </message>
    <message>
        <source>Show B in the place of A, alone, and A again with the next press</source>
        <translation>B an der Stelle von A zeigen, und beim nächsten Druck wieder A</translation>
    </message>
    <message>
        <source>&amp;Original</source>
        <translation>&amp;Original</translation>
    </message>
    <message>
        <source>Show the original beside the results</source>
        <translation>Das Original neben den Ergebnissen zeigen</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>Light or dark, as the desktop is</source>
        <translation>Hell oder dunkel, wie die Arbeitsumgebung</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>Always light</source>
        <translation>Immer hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>Always dark</source>
        <translation>Immer dunkel</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>Show or hide the panel %1</source>
        <translation>Das Feld %1 zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Show or hide the toolbar</source>
        <translation>Die Werkzeugleiste zeigen oder verbergen</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>&amp;Messen</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Export ▾</source>
        <translation>Export ▾</translation>
    </message>
    <message>
        <source>Save images and the report</source>
        <translation>Bilder und den Bericht speichern</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>&amp;Rückgängig: %1</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>&amp;Wiederholen: %1</translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation>&amp;Neu laden</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Ctrl+Shift+R</translation>
    </message>
    <message>
        <source>Read the open file again</source>
        <translation>Die geöffnete Datei noch einmal lesen</translation>
    </message>
    <message>
        <source>Reload a&amp;utomatically</source>
        <translation>A&amp;utomatisch neu laden</translation>
    </message>
    <message>
        <source>Read the open file again as soon as another program has written it</source>
        <translation>Die geöffnete Datei noch einmal lesen, sobald ein anderes Programm sie geschrieben hat</translation>
    </message>
    <message>
        <source>&amp;Clear the list</source>
        <translation>Liste &amp;leeren</translation>
    </message>
    <message>
        <source>Forget which files were open lately</source>
        <translation>Vergessen, welche Dateien zuletzt geöffnet waren</translation>
    </message>
    <message>
        <source>&amp;Copy the view</source>
        <translation>Ansicht &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy what the current pane shows as an image</source>
        <translation>Kopieren, was das aktuelle Feld zeigt, als Bild</translation>
    </message>
    <message>
        <source>Copy pi&amp;xel values</source>
        <translation>&amp;Pixelwerte kopieren</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>Copy the samples under the mouse as text</source>
        <translation>Die Werte unter der Maus als Text kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Open the image or the files that are in the clipboard</source>
        <translation>Das Bild oder die Dateien der Zwischenablage öffnen</translation>
    </message>
    <message>
        <source>Open recen&amp;t</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>%1 was changed by another program</source>
        <translation>%1 wurde von einem anderen Programm geändert</translation>
    </message>
    <message>
        <source>Reload it, or go on with the image as it was</source>
        <translation>Neu laden oder mit dem bisherigen Bild weiterarbeiten</translation>
    </message>
    <message>
        <source>Nothing was copied</source>
        <translation>Nichts wurde kopiert</translation>
    </message>
    <message>
        <source>no image is shown</source>
        <translation>kein Bild wird gezeigt</translation>
    </message>
    <message>
        <source>Open an image first</source>
        <translation>Zuerst ein Bild öffnen</translation>
    </message>
    <message>
        <source>Copied the view of %1</source>
        <translation>Ansicht von %1 kopiert</translation>
    </message>
    <message>
        <source>the mouse is not over an image</source>
        <translation>die Maus ist nicht über einem Bild</translation>
    </message>
    <message>
        <source>Point at a pixel and press the keys</source>
        <translation>Auf ein Pixel zeigen und die Tasten drücken</translation>
    </message>
    <message>
        <source>There is nothing to open</source>
        <translation>Es gibt nichts zu öffnen</translation>
    </message>
    <message>
        <source>no image and no file was given</source>
        <translation>weder ein Bild noch eine Datei ist da</translation>
    </message>
    <message>
        <source>Copy an image in another program first</source>
        <translation>Zuerst in einem anderen Programm ein Bild kopieren</translation>
    </message>
    <message>
        <source>pasted-%1.png</source>
        <translation>eingefuegt-%1.png</translation>
    </message>
    <message>
        <source>Save data of &amp;A …</source>
        <translation>Daten von &amp;A speichern …</translation>
    </message>
    <message>
        <source>Save the samples of result A, in a format and depth of choice</source>
        <translation>Die Werte von Ergebnis A speichern, Format und Tiefe nach Wahl</translation>
    </message>
    <message>
        <source>Save data of &amp;B …</source>
        <translation>Da&amp;ten von B speichern …</translation>
    </message>
    <message>
        <source>Save the samples of result B, in a format and depth of choice</source>
        <translation>Die Werte von Ergebnis B speichern, Format und Tiefe nach Wahl</translation>
    </message>
    <message>
        <source>Save data of the &amp;difference …</source>
        <translation>&amp;Differenz speichern …</translation>
    </message>
    <message>
        <source>Save the difference B − A as an image of one channel</source>
        <translation>Die Differenz B − A als Bild mit einem Kanal speichern</translation>
    </message>
    <message>
        <source>Save data of all panes …</source>
        <translation>Daten aller Felder speichern …</translation>
    </message>
    <message>
        <source>Ctrl+Alt+A</source>
        <translation>Ctrl+Alt+A</translation>
    </message>
    <message>
        <source>Save the samples of A, B, their difference and the original, a file each</source>
        <translation>Die Werte von A, B, ihrer Differenz und des Originals speichern, je eine Datei</translation>
    </message>
    <message>
        <source>Save &amp;view …</source>
        <translation>Ansic&amp;ht speichern …</translation>
    </message>
    <message>
        <source>Ctrl+Alt+V</source>
        <translation>Ctrl+Alt+V</translation>
    </message>
    <message>
        <source>Save what the panes show, with colours, labels and marks, as a PNG</source>
        <translation>Als PNG speichern, was die Felder zeigen, mit Farben, Beschriftung und Markierungen</translation>
    </message>
    <message>
        <source>Save picture of the &amp;window …</source>
        <translation>Bild des &amp;Fensters speichern …</translation>
    </message>
    <message>
        <source>Ctrl+Alt+W</source>
        <translation>Ctrl+Alt+W</translation>
    </message>
    <message>
        <source>Save the whole window as a PNG</source>
        <translation>Das ganze Fenster als PNG speichern</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Ctrl+Q</translation>
    </message>
    <message>
        <source>&amp;View one image</source>
        <translation>Ein &amp;Bild ansehen</translation>
    </message>
    <message>
        <source>Ctrl+Alt+1</source>
        <translation>Ctrl+Alt+1</translation>
    </message>
    <message>
        <source>Arrange for looking: one image and the inspector</source>
        <translation>Zum Ansehen anordnen: ein Bild und der Inspektor</translation>
    </message>
    <message>
        <source>Ctrl+Alt+2</source>
        <translation>Ctrl+Alt+2</translation>
    </message>
    <message>
        <source>Arrange for comparing: all panes, pipeline and inspector</source>
        <translation>Zum Vergleichen anordnen: alle Felder, Pipeline und Inspektor</translation>
    </message>
    <message>
        <source>Ctrl+Alt+3</source>
        <translation>Ctrl+Alt+3</translation>
    </message>
    <message>
        <source>Arrange for measuring: large charts, pipeline, A and B</source>
        <translation>Zum Messen anordnen: große Diagramme, Pipeline, A und B</translation>
    </message>
    <message>
        <source>Save the view</source>
        <translation>Die Ansicht speichern</translation>
    </message>
    <message>
        <source>view</source>
        <translation>ansicht</translation>
    </message>
    <message>
        <source>Save a picture of the window</source>
        <translation>Ein Bild des Fensters speichern</translation>
    </message>
    <message>
        <source>window</source>
        <translation>fenster</translation>
    </message>
    <message>
        <source>Arrangement</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <source>R&amp;estore session</source>
        <translation>Sitzun&amp;g wiederherstellen</translation>
    </message>
    <message>
        <source>Open again what was open when Parallax ended without being closed</source>
        <translation>Öffnet wieder, was offen war, als Parallax endete, ohne geschlossen zu werden</translation>
    </message>
    <message>
        <source>Parallax did not end properly</source>
        <translation>Parallax ist nicht ordentlich beendet worden</translation>
    </message>
    <message>
        <source>%1 was open, last changed %2</source>
        <translation>%1 war offen, zuletzt geändert %2</translation>
    </message>
    <message>
        <source>Restore the session, or go on without it</source>
        <translation>Stellen Sie die Sitzung wieder her, oder machen Sie ohne sie weiter</translation>
    </message>
    <message>
        <source>Restore the last session</source>
        <translation>Letzte Sitzung wiederherstellen</translation>
    </message>
    <message>
        <source>Save the &amp;data of %1 …</source>
        <translation>&amp;Daten von %1 speichern …</translation>
    </message>
    <message>
        <source>Save the samples of this pane, in a format and depth of choice</source>
        <translation>Die Werte dieses Felds speichern, in Format und Tiefe nach Wahl</translation>
    </message>
    <message>
        <source>Save the &amp;view of %1 …</source>
        <translation>&amp;Ansicht von %1 speichern …</translation>
    </message>
    <message>
        <source>Save what this pane shows, with colours, labels and marks, as a PNG</source>
        <translation>Speichern, was dieses Feld zeigt, mit Farben, Beschriftung und Marken, als PNG</translation>
    </message>
    <message>
        <source>&amp;Copy the view of %1</source>
        <translation>Ansicht von %1 &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy what this pane shows as an image</source>
        <translation>Kopieren, was dieses Feld zeigt, als Bild</translation>
    </message>
    <message>
        <source>Reports (*.json)</source>
        <translation>Berichte (*.json)</translation>
    </message>
    <message>
        <source>Save what was measured, or the sweep that is shown, as a page, a table or data</source>
        <translation>Das Gemessene, oder die gezeigte Messreihe, als Seite, Tabelle oder Daten speichern</translation>
    </message>
    <message>
        <source>Add a &amp;step</source>
        <translation>Einen S&amp;chritt hinzufügen</translation>
    </message>
    <message>
        <source>Sub-bands</source>
        <translation>Teilbänder</translation>
    </message>
    <message>
        <source>Panels that share this place. Drag the title of one to give it another.</source>
        <translation>Bereiche, die sich diesen Platz teilen. Am Titel gezogen, bekommt einer einen anderen.</translation>
    </message>
    <message>
        <source>Open &amp;folder …</source>
        <translation>&amp;Ordner öffnen …</translation>
    </message>
    <message>
        <source>Ctrl+Alt+F</source>
        <translation>Ctrl+Alt+F</translation>
    </message>
    <message>
        <source>Open the DICOM series or the images of a folder</source>
        <translation>Die DICOM-Serie oder die Bilder eines Ordners öffnen</translation>
    </message>
    <message>
        <source>Open a folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>&amp;Three planes</source>
        <translation>&amp;Drei Ebenen</translation>
    </message>
    <message>
        <source>Alt+1</source>
        <translation>Alt+1</translation>
    </message>
    <message>
        <source>Show the axial, the coronal and the sagittal plane</source>
        <translation>Die axiale, die koronare und die sagittale Ebene zeigen</translation>
    </message>
    <message>
        <source>&amp;Axial plane</source>
        <translation>&amp;Axiale Ebene</translation>
    </message>
    <message>
        <source>Alt+2</source>
        <translation>Alt+2</translation>
    </message>
    <message>
        <source>Show the axial plane alone</source>
        <translation>Nur die axiale Ebene zeigen</translation>
    </message>
    <message>
        <source>C&amp;oronal plane</source>
        <translation>&amp;Koronare Ebene</translation>
    </message>
    <message>
        <source>Alt+3</source>
        <translation>Alt+3</translation>
    </message>
    <message>
        <source>Show the coronal plane alone</source>
        <translation>Nur die koronare Ebene zeigen</translation>
    </message>
    <message>
        <source>&amp;Sagittal plane</source>
        <translation>&amp;Sagittale Ebene</translation>
    </message>
    <message>
        <source>Alt+4</source>
        <translation>Alt+4</translation>
    </message>
    <message>
        <source>Show the sagittal plane alone</source>
        <translation>Nur die sagittale Ebene zeigen</translation>
    </message>
    <message>
        <source>Cross&amp;hair</source>
        <translation>Fadenkreu&amp;z</translation>
    </message>
    <message>
        <source>Show the lines that link the planes</source>
        <translation>Die Linien zeigen, die die Ebenen verbinden</translation>
    </message>
    <message>
        <source>&amp;Invert</source>
        <translation>&amp;Invertieren</translation>
    </message>
    <message>
        <source>Show small values bright</source>
        <translation>Kleine Werte hell zeigen</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>V&amp;olume</source>
        <translation>&amp;Volumen</translation>
    </message>
    <message>
        <source>Show values around %1, %2 wide</source>
        <translation>Werte um %1 zeigen, %2 breit</translation>
    </message>
    <message>
        <source>Parallax closes as soon as everything is saved</source>
        <translation>Parallax schließt, sobald alles gespeichert ist</translation>
    </message>
    <message>
        <source>Close it again to leave at once, without these files</source>
        <translation>Noch einmal schließen, um sofort zu gehen, ohne diese Dateien</translation>
    </message>
    <message>
        <source>Open raw sa&amp;mples …</source>
        <translation>Roh&amp;werte öffnen …</translation>
    </message>
    <message>
        <source>Ctrl+Alt+B</source>
        <translation>Ctrl+Alt+B</translation>
    </message>
    <message>
        <source>Open a file without a header: say what it holds, and look at its middle slice meanwhile</source>
        <translation>Eine Datei ohne Kopf öffnen: sagen, was sie enthält, und dabei ihre mittlere Schicht sehen</translation>
    </message>
    <message>
        <source>Open raw samples</source>
        <translation>Rohwerte öffnen</translation>
    </message>
    <message>
        <source>Raw samples (*.raw *.bin *.dat *.img)</source>
        <translation>Rohwerte (*.raw *.bin *.dat *.img)</translation>
    </message>
    <message>
        <source>Ctrl+Alt+0</source>
        <translation>Ctrl+Alt+0</translation>
    </message>
    <message>
        <source>All room for the images; once more brings the panels back</source>
        <translation>Aller Platz für die Bilder; noch einmal bringt die Felder zurück</translation>
    </message>
    <message>
        <source>Hide pane&amp;ls</source>
        <translation>Felder au&amp;sblenden</translation>
    </message>
</context>
<context>
    <name>parallax::ui::MessageBar</name>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Copy this message</source>
        <translation>Diese Meldung kopieren</translation>
    </message>
    <message>
        <source>Close this message (Esc)</source>
        <translation>Diese Meldung schließen (Esc)</translation>
    </message>
</context>
<context>
    <name>parallax::ui::MessageLog</name>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>%1 (%2×)</source>
        <translation>%1 (%2×)</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
</context>
<context>
    <name>parallax::ui::MessageLogDialog</name>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>What was said since the window was opened, the newest at the end</source>
        <translation>Was gemeldet wurde, seit das Fenster geöffnet wurde, das Neueste am Ende</translation>
    </message>
    <message>
        <source>The chosen message</source>
        <translation>Die gewählte Meldung</translation>
    </message>
    <message>
        <source>What happened, why, and what to do</source>
        <translation>Was geschah, warum, und was zu tun ist</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy the chosen messages, or all of them, as text (Ctrl+C)</source>
        <translation>Die gewählten Meldungen, oder alle, als Text kopieren (Strg+C)</translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>Forget these messages</source>
        <translation>Diese Meldungen vergessen</translation>
    </message>
    <message>
        <source>Close the list (Esc)</source>
        <translation>Die Liste schließen (Esc)</translation>
    </message>
    <message>
        <source>Nothing has been said yet.</source>
        <translation>Noch wurde nichts gemeldet.</translation>
    </message>
    <message>
        <source>Why: %1</source>
        <translation>Warum: %1</translation>
    </message>
    <message>
        <source>What to do: %1</source>
        <translation>Was zu tun ist: %1</translation>
    </message>
    <message>
        <source>Messages, %1 new</source>
        <translation>Meldungen, %1 neu</translation>
    </message>
</context>
<context>
    <name>parallax::ui::MetadataModel</name>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>float32 samples in memory</source>
        <translation>float32-Werte im Speicher</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>, %1 … %2, mean %3</source>
        <translation>, %1 … %2, Mittel %3</translation>
    </message>
    <message>
        <source>, %1 NaN</source>
        <translation>, %1 NaN</translation>
    </message>
    <message>
        <source>, %1 infinite</source>
        <translation>, %1 unendlich</translation>
    </message>
    <message>
        <source>Stored %1</source>
        <translation>Gespeichert %1</translation>
    </message>
    <message>
        <source>Type and range of the samples as stored in the file</source>
        <translation>Typ und Bereich der Werte, wie sie in der Datei stehen</translation>
    </message>
    <message>
        <source>Colour encoding</source>
        <translation>Farbkodierung</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>sRGB, decoded to linear</source>
        <translation>sRGB, linear gemacht</translation>
    </message>
    <message>
        <source>gamma %1, decoded to linear</source>
        <translation>Gamma %1, linear gemacht</translation>
    </message>
    <message>
        <source>How stored values relate to the linear light that operations work on</source>
        <translation>Wie gespeicherte Werte mit dem linearen Licht zusammenhängen, auf dem Operationen arbeiten</translation>
    </message>
    <message>
        <source>Data window</source>
        <translation>Datenfenster</translation>
    </message>
    <message>
        <source>Display window</source>
        <translation>Anzeigefenster</translation>
    </message>
    <message>
        <source>Pixel aspect ratio</source>
        <translation>Seitenverhältnis der Pixel</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>The first part is shown</source>
        <translation>Der erste Teil wird gezeigt</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>Erstellt mit</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ParameterForm</name>
    <message>
        <source>Edit as a grid …</source>
        <translation>Als Tabelle bearbeiten …</translation>
    </message>
    <message>
        <source>Edit the matrix in a table, with its sum, rank and frequency response (%1)</source>
        <translation>Die Matrix in einer Tabelle bearbeiten, mit Summe, Rang und Frequenzgang (%1)</translation>
    </message>
    <message>
        <source>Edit %1 as a grid</source>
        <translation>%1 als Tabelle bearbeiten</translation>
    </message>
    <message>
        <source>
%1 … %2</source>
        <translation>
%1 … %2</translation>
    </message>
    <message>
        <source>
Default: %1</source>
        <translation>
Vorgabe: %1</translation>
    </message>
    <message>
        <source>Back to the default: %1</source>
        <translation>Zurück zur Vorgabe: %1</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>Pick it from the image: click on a pixel, or press Enter for the one in the middle of a pane. What counts is the original there. Esc leaves.</source>
        <translation>Aus dem Bild wählen: auf ein Pixel klicken, oder die Eingabetaste für das in der Mitte einer Ansicht. Es zählt das Original an der Stelle. Esc beendet.</translation>
    </message>
    <message>
        <source>Pick %1 from the image</source>
        <translation>%1 aus dem Bild wählen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PipelineModel</name>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>%1 %2 → %3</source>
        <translation>%1 %2 → %3</translation>
    </message>
    <message>
        <source>defaults</source>
        <translation>Vorgaben</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation>%1 verdoppeln</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 verschieben</translation>
    </message>
    <message>
        <source>Switch on %1</source>
        <translation>%1 einschalten</translation>
    </message>
    <message>
        <source>Switch off %1</source>
        <translation>%1 ausschalten</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PipelinePanel</name>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Backend of %1</source>
        <translation>Backend von %1</translation>
    </message>
    <message>
        <source>What computes result %1. Backends that are not available say why in their tooltip.</source>
        <translation>Was Ergebnis %1 berechnet. Backends, die nicht verfügbar sind, sagen im Hinweis, warum.</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>Backends</translation>
    </message>
    <message>
        <source>Steps of the pipeline</source>
        <translation>Schritte der Pipeline</translation>
    </message>
    <message>
        <source>Operations in the order in which they run: drag one to another place. The check mark, or Space, switches a step on and off.</source>
        <translation>Operationen in der Reihenfolge, in der sie laufen: zum Umordnen ziehen. Das Häkchen, oder die Leertaste, schaltet einen Schritt ein und aus.</translation>
    </message>
    <message>
        <source>Add an operation</source>
        <translation>Eine Operation hinzufügen</translation>
    </message>
    <message>
        <source>%1 (%2 in the list)</source>
        <translation>%1 (%2 in der Liste)</translation>
    </message>
    <message>
        <source>Remove the chosen step</source>
        <translation>Den gewählten Schritt entfernen</translation>
    </message>
    <message>
        <source>Move the chosen step up</source>
        <translation>Den gewählten Schritt nach oben</translation>
    </message>
    <message>
        <source>Move the chosen step down</source>
        <translation>Den gewählten Schritt nach unten</translation>
    </message>
    <message>
        <source>Duplicate the chosen step</source>
        <translation>Den gewählten Schritt verdoppeln</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Add an operation with the plus button above.</source>
        <translation>Mit dem Plus oben eine Operation hinzufügen.</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PixelModel</name>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PixelPicker</name>
    <message>
        <source>There is no image to pick from</source>
        <translation>Es gibt kein Bild, aus dem gewählt werden kann</translation>
    </message>
    <message>
        <source>Open one</source>
        <translation>Öffnen Sie eines</translation>
    </message>
    <message>
        <source>Click on a pixel, or press Enter for the one in the middle of a pane. Esc leaves.</source>
        <translation>Klicken Sie auf ein Pixel, oder drücken Sie die Eingabetaste für das in der Mitte einer Ansicht. Esc beendet.</translation>
    </message>
    <message>
        <source>Click on another one; Esc leaves</source>
        <translation>Klicken Sie auf ein anderes; Esc beendet</translation>
    </message>
    <message>
        <source>This pixel gives no %1</source>
        <translation>Dieses Pixel ergibt keinen Wert für %1</translation>
    </message>
    <message>
        <source>its samples are not finite</source>
        <translation>seine Werte sind nicht endlich</translation>
    </message>
    <message>
        <source>it is too dark</source>
        <translation>es ist zu dunkel</translation>
    </message>
    <message>
        <source>it is too bright</source>
        <translation>es ist zu hell</translation>
    </message>
    <message>
        <source>Pick %1</source>
        <translation>%1 aus dem Bild</translation>
    </message>
    <message>
        <source>This pixel cannot be used</source>
        <translation>Dieses Pixel kann nicht verwendet werden</translation>
    </message>
    <message>
        <source>The original has no such pixel</source>
        <translation>Das Original hat keinen solchen Pixel</translation>
    </message>
    <message>
        <source>it is %1</source>
        <translation>es ist %1</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PresetBar</name>
    <message>
        <source>Presets</source>
        <translation>Voreinstellungen</translation>
    </message>
    <message>
        <source>Save, rename and delete presets</source>
        <translation>Voreinstellungen speichern, umbenennen und löschen</translation>
    </message>
    <message>
        <source>&amp;Save as a preset …</source>
        <translation>Als Voreinstellung &amp;speichern …</translation>
    </message>
    <message>
        <source>Keep the parameters of this step under a name</source>
        <translation>Die Parameter dieses Schritts unter einem Namen behalten</translation>
    </message>
    <message>
        <source>&amp;Rename …</source>
        <translation>&amp;Umbenennen …</translation>
    </message>
    <message>
        <source>Give the chosen preset another name</source>
        <translation>Der gewählten Voreinstellung einen anderen Namen geben</translation>
    </message>
    <message>
        <source>&amp;Delete …</source>
        <translation>&amp;Löschen …</translation>
    </message>
    <message>
        <source>Delete the chosen preset from the disk</source>
        <translation>Die gewählte Voreinstellung von der Platte löschen</translation>
    </message>
    <message>
        <source>&amp;Rename “%1” …</source>
        <translation>„%1“ &amp;umbenennen …</translation>
    </message>
    <message>
        <source>&amp;Delete “%1” …</source>
        <translation>„%1“ &amp;löschen …</translation>
    </message>
    <message>
        <source>Preset %1</source>
        <translation>Voreinstellung %1</translation>
    </message>
    <message>
        <source>Save as a preset</source>
        <translation>Als Voreinstellung speichern</translation>
    </message>
    <message>
        <source>Name of the preset</source>
        <translation>Name der Voreinstellung</translation>
    </message>
    <message>
        <source>Replace the preset?</source>
        <translation>Voreinstellung ersetzen?</translation>
    </message>
    <message>
        <source>There is already a preset “%1”. Replace it?</source>
        <translation>Es gibt schon eine Voreinstellung „%1“. Ersetzen?</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Rename the preset</source>
        <translation>Voreinstellung umbenennen</translation>
    </message>
    <message>
        <source>New name of “%1”</source>
        <translation>Neuer Name von „%1“</translation>
    </message>
    <message>
        <source>Delete the preset?</source>
        <translation>Voreinstellung löschen?</translation>
    </message>
    <message>
        <source>Delete the preset “%1”? The parameters of the step stay as they are.</source>
        <translation>Voreinstellung „%1“ löschen? Die Parameter des Schritts bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Ready-made parameters, and those that you have saved under a name: choosing one sets them</source>
        <translation>Fertige Parameter und solche, die unter einem Namen gespeichert sind: eine Auswahl setzt sie</translation>
    </message>
    <message>
        <source>Saved by you</source>
        <translation>Von Ihnen gespeichert</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PresetGallery</name>
    <message>
        <source>Pictures of the presets</source>
        <translation>Bilder der Voreinstellungen</translation>
    </message>
    <message>
        <source>Preset %1</source>
        <translation>Voreinstellung %1</translation>
    </message>
    <message>
        <source>The picture is made from a smaller version of the image and may differ.</source>
        <translation>Das Bild stammt von einer kleineren Fassung der Aufnahme und kann abweichen.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RawDialog</name>
    <message>
        <source>big-endian</source>
        <translation>Big-Endian</translation>
    </message>
    <message>
        <source>from byte %1</source>
        <translation>ab Byte %1</translation>
    </message>
    <message>
        <source>%1 × %2 × %3 mm</source>
        <translation>%1 × %2 × %3 mm</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Samples in a row (cols)</source>
        <translation>Werte einer Zeile (cols)</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>Rows in a slice</source>
        <translation>Zeilen einer Schicht (rows)</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Slices of the volume (depth); 1 is an image</source>
        <translation>Schichten des Volumens (depth); 1 ist ein Bild</translation>
    </message>
    <message>
        <source>Open raw samples</source>
        <translation>Rohwerte öffnen</translation>
    </message>
    <message>
        <source>%1 does not say what it holds. It has %2 bytes.</source>
        <translation>%1 sagt nicht, was sie enthält. Sie hat %2 Bytes.</translation>
    </message>
    <message>
        <source>Flat float file: depth*rows*cols + row*cols + col</source>
        <translation>Flache Float-Datei: depth*rows*cols + row*cols + col</translation>
    </message>
    <message>
        <source>As entered below</source>
        <translation>Wie unten eingegeben</translation>
    </message>
    <message>
        <source>What may be meant: what was entered for this file before, what its name says, what was entered last, what fills it. The flat float file has floats of 4 bytes, little-endian, without a header.</source>
        <translation>Was gemeint sein kann: was für diese Datei schon eingegeben wurde, was ihr Name sagt, was zuletzt eingegeben wurde, was sie füllt. Die flache Float-Datei hat Gleitkommazahlen von 4 Bytes, Little-Endian, ohne Kopf.</translation>
    </message>
    <message>
        <source>What each sample is stored as: whole numbers with or without a sign and their bits, float (4 bytes) or double (8)</source>
        <translation>Als was jeder Wert gespeichert ist: ganze Zahlen mit oder ohne Vorzeichen und ihre Bits, float (4 Bytes) oder double (8)</translation>
    </message>
    <message>
        <source>little-endian</source>
        <translation>Little-Endian</translation>
    </message>
    <message>
        <source>Which byte of a sample comes first: the lowest (Intel, ARM) or the highest. With the wrong one the picture looks like noise.</source>
        <translation>Welches Byte eines Wertes zuerst kommt: das niederste (Intel, ARM) oder das höchste. Mit der falschen Folge sieht das Bild wie Rauschen aus.</translation>
    </message>
    <message>
        <source> bytes</source>
        <translation> Bytes</translation>
    </message>
    <message>
        <source>Bytes before the first sample, as a header has them</source>
        <translation>Bytes vor dem ersten Wert, wie ein Kopf sie hat</translation>
    </message>
    <message>
        <source> mm</source>
        <translation> mm</translation>
    </message>
    <message>
        <source>Distance of columns</source>
        <translation>Abstand der Spalten</translation>
    </message>
    <message>
        <source>Distance of rows</source>
        <translation>Abstand der Zeilen</translation>
    </message>
    <message>
        <source>Distance of slices</source>
        <translation>Abstand der Schichten</translation>
    </message>
    <message>
        <source>Distance of the centres of neighbours: of columns, rows and slices. It is what makes the aspect true.</source>
        <translation>Abstand der Mitten von Nachbarn: von Spalten, Zeilen und Schichten. Er gibt die wahren Verhältnisse.</translation>
    </message>
    <message>
        <source>What the values are in, shown beside them: HU for computed tomography. May be left empty.</source>
        <translation>Worin die Werte gemessen sind, neben ihnen gezeigt: HU bei Computertomographie. Darf leer bleiben.</translation>
    </message>
    <message>
        <source>What would fit</source>
        <translation>Was passen würde</translation>
    </message>
    <message>
        <source>One change that makes the entries fit the file: choose it to make it</source>
        <translation>Je eine Änderung, mit der die Angaben zur Datei passen: auswählen, um sie zu machen</translation>
    </message>
    <message>
        <source>Middle slice</source>
        <translation>Mittlere Schicht</translation>
    </message>
    <message>
        <source>The middle slice with the entries as they are: a wrong width makes it slanted, a wrong type or byte order noise</source>
        <translation>Die mittlere Schicht mit den Angaben, wie sie sind: eine falsche Breite macht sie schräg, ein falscher Typ oder eine falsche Bytefolge zu Rauschen</translation>
    </message>
    <message>
        <source>&amp;Proposals</source>
        <translation>&amp;Vorschläge</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>&amp;Breite</translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation>&amp;Höhe</translation>
    </message>
    <message>
        <source>&amp;Slices</source>
        <translation>&amp;Schichten</translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation>&amp;Typ</translation>
    </message>
    <message>
        <source>&amp;Byte order</source>
        <translation>B&amp;ytefolge</translation>
    </message>
    <message>
        <source>&amp;Offset</source>
        <translation>Vers&amp;atz</translation>
    </message>
    <message>
        <source>&amp;Distances</source>
        <translation>Abstän&amp;de</translation>
    </message>
    <message>
        <source>&amp;Unit</source>
        <translation>&amp;Einheit</translation>
    </message>
    <message>
        <source>✕ That would be more bytes than can be counted.</source>
        <translation>✕ Das wären mehr Bytes, als gezählt werden können.</translation>
    </message>
    <message>
        <source>✓ It fits: %1 bytes of samples and %2 before them.</source>
        <translation>✓ Es passt: %1 Bytes an Werten und %2 davor.</translation>
    </message>
    <message>
        <source>✕ It does not fit: %1 bytes are needed, and the file is %2 bytes too short.</source>
        <translation>✕ Es passt nicht: %1 Bytes sind nötig, und die Datei ist %2 Bytes zu kurz.</translation>
    </message>
    <message>
        <source>✕ It does not fit: %1 bytes are needed, and the file has %2 bytes more.</source>
        <translation>✕ Es passt nicht: %1 Bytes sind nötig, und die Datei hat %2 Bytes mehr.</translation>
    </message>
    <message>
        <source>offset %1</source>
        <translation>Versatz %1</translation>
    </message>
    <message>
        <source>height %1</source>
        <translation>Höhe %1</translation>
    </message>
    <message>
        <source>width %1</source>
        <translation>Breite %1</translation>
    </message>
    <message>
        <source>No single change makes it fit.</source>
        <translation>Keine einzelne Änderung macht es passend.</translation>
    </message>
    <message>
        <source>It would fit with: %1</source>
        <translation>Es würde passen mit: %1</translation>
    </message>
    <message>
        <source>No picture</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>%1 NaN or infinite</source>
        <translation>%1 NaN oder unendlich</translation>
    </message>
    <message>
        <source>one slice</source>
        <translation>eine Schicht</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 Schichten</translation>
    </message>
    <message>
        <source>Slice %1 of 0–%2: %3</source>
        <translation>Schicht %1 von 0–%2: %3</translation>
    </message>
    <message>
        <source>Slice %1 of 0–%2: values from %3 to %4</source>
        <translation>Schicht %1 von 0–%2: Werte von %3 bis %4</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RecentFiles</name>
    <message>
        <source>not there any more</source>
        <translation>nicht mehr da</translation>
    </message>
    <message>
        <source>may not be read</source>
        <translation>darf nicht gelesen werden</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RegionMosaic</name>
    <message>
        <source>Mosaic of the sub-bands</source>
        <translation>Mosaik der Teilbänder</translation>
    </message>
    <message>
        <source>Arrow keys: next sub-band. Return: this one alone. Page Up and Page Down: slices. Plus and minus: gain of the sub-band.</source>
        <translation>Pfeiltasten: nächstes Teilband. Eingabe: dieses allein. Bild auf und Bild ab: Schichten. Plus und Minus: Verstärkung des Teilbands.</translation>
    </message>
    <message>
        <source>A gap: no sub-band has samples here</source>
        <translation>Eine Lücke: kein Teilband hat hier Werte</translation>
    </message>
    <message>
        <source>%1: %2, level %3
Coefficient (%4): %5
Gain for viewing: %6</source>
        <translation>%1: %2, Stufe %3
Koeffizient (%4): %5
Verstärkung der Ansicht: %6</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RegionPanel</name>
    <message>
        <source>The sub-bands in numbers. A row chooses one; Enter or a double click shows it alone. Ctrl+C copies what is selected.</source>
        <translation>Die Teilbänder in Zahlen. Eine Zeile wählt eines; Eingabe oder ein Doppelklick zeigt es allein. Strg+C kopiert, was ausgewählt ist.</translation>
    </message>
    <message>
        <source>x, y (axial)</source>
        <translation>x, y (axial)</translation>
    </message>
    <message>
        <source>x, z (coronal)</source>
        <translation>x, z (koronal)</translation>
    </message>
    <message>
        <source>y, z (sagittal)</source>
        <translation>y, z (sagittal)</translation>
    </message>
    <message>
        <source>Plane of the mosaic</source>
        <translation>Ebene des Mosaiks</translation>
    </message>
    <message>
        <source>Which plane of the coefficients the mosaic shows; images have only one</source>
        <translation>Welche Ebene der Koeffizienten das Mosaik zeigt; Bilder haben nur eine</translation>
    </message>
    <message>
        <source>Slice of the mosaic</source>
        <translation>Schicht des Mosaiks</translation>
    </message>
    <message>
        <source>Slice of the coefficients, counted through the sub-bands as they lie behind each other. The wheel over the mosaic and Page Up and Down go through them, too.</source>
        <translation>Schicht der Koeffizienten, gezählt durch die Teilbänder, wie sie hintereinander liegen. Auch das Mausrad über dem Mosaik sowie Bild auf und Bild ab gehen hindurch.</translation>
    </message>
    <message>
        <source>Channel of the sub-bands</source>
        <translation>Kanal der Teilbänder</translation>
    </message>
    <message>
        <source>The channel of which mosaic, energies and gains are; each has coefficients of its own</source>
        <translation>Der Kanal, von dem Mosaik, Energien und Verstärkungen sind; jeder hat eigene Koeffizienten</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>Alone</source>
        <translation>Allein</translation>
    </message>
    <message>
        <source>Shows only the chosen sub-band, as large as there is room. A click into the mosaic does the same.</source>
        <translation>Zeigt nur das gewählte Teilband, so groß, wie Platz ist. Ein Klick ins Mosaik tut dasselbe.</translation>
    </message>
    <message>
        <source>How far the picture that comes back from these sub-bands is from the original, as the person opened it: largest absolute difference, root of the mean square, and PSNR, which refers to the largest value of the original</source>
        <translation>Wie weit das Bild, das aus diesen Teilbändern zurückkommt, vom geöffneten Original entfernt ist: größte absolute Abweichung, Wurzel aus dem mittleren Quadrat, und PSNR, das sich auf den größten Wert des Originals bezieht</translation>
    </message>
    <message>
        <source>Gain of the chosen sub-band</source>
        <translation>Verstärkung des gewählten Teilbands</translation>
    </message>
    <message>
        <source>Makes the chosen sub-band stronger in the mosaic. At 1 all details share one scale, and the largest coefficient is black or white. Data never change.</source>
        <translation>Macht das gewählte Teilband im Mosaik stärker. Bei 1 haben alle Details denselben Maßstab, und der größte Koeffizient ist schwarz oder weiß. Daten ändern sich nie.</translation>
    </message>
    <message>
        <source>All automatic</source>
        <translation>Alle automatisch</translation>
    </message>
    <message>
        <source>Gives each sub-band the gain with which 95 % of its coefficients lie between black and white</source>
        <translation>Gibt jedem Teilband die Verstärkung, mit der 95 % seiner Koeffizienten zwischen Schwarz und Weiß liegen</translation>
    </message>
    <message>
        <source>Open an image or a volume first.</source>
        <translation>Zuerst ein Bild oder ein Volumen öffnen.</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>Wird berechnet …</translation>
    </message>
    <message>
        <source>The result of A has no sub-bands. Add a step that makes some, or works in some, as the last one: %1.</source>
        <translation>Das Ergebnis von A hat keine Teilbänder. Als letzten Schritt einen hinzufügen, der welche macht oder darin arbeitet: %1.</translation>
    </message>
    <message>
        <source>There and back, against the original: largest error %1, RMSE %2, PSNR %3 dB</source>
        <translation>Hin und zurück, gegen das Original: größter Fehler %1, RMSE %2, PSNR %3 dB</translation>
    </message>
    <message>
        <source>Result against the original: largest error %1, RMSE %2, PSNR %3 dB</source>
        <translation>Ergebnis gegen das Original: größter Fehler %1, RMSE %2, PSNR %3 dB</translation>
    </message>
    <message>
        <source> · NaN or infinity in one only: %1</source>
        <translation> · NaN oder Unendlich nur in einem: %1</translation>
    </message>
    <message>
        <source>No error against the original: a step before makes another picture of it</source>
        <translation>Kein Fehler gegen das Original: ein Schritt davor macht ein anderes Bild daraus</translation>
    </message>
    <message>
        <source> · seen through %1</source>
        <translation> · gesehen durch %1</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>Verstärkung</translation>
    </message>
    <message>
        <source>Gain of %1</source>
        <translation>Verstärkung von %1</translation>
    </message>
    <message>
        <source>%1 of 0–%2</source>
        <translation>%1 von 0–%2</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RegionStudy</name>
    <message>
        <source>Looking into the sub-bands</source>
        <translation>Teilbänder werden untersucht</translation>
    </message>
    <message>
        <source>Cancelled. Change a parameter to look again.</source>
        <translation>Abgebrochen. Einen Parameter ändern, um wieder hineinzusehen.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ResponsePlot</name>
    <message>
        <source>Frequency response</source>
        <translation>Frequenzgang</translation>
    </message>
    <message>
        <source>Magnitude of the frequency response</source>
        <translation>Betrag des Frequenzgangs</translation>
    </message>
    <message>
        <source>How much of each frequency the kernel lets through: zero frequency, the mean, in the middle; the finest pattern, half a cycle per pixel, at the edges.</source>
        <translation>Wie viel jeder Frequenz der Kern durchlässt: in der Mitte die Frequenz null, der Mittelwert; an den Rändern das feinste Muster, eine halbe Periode je Pixel.</translation>
    </message>
    <message>
        <source>0 cycles/px</source>
        <translation>0 Perioden/px</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ResultPanel</name>
    <message>
        <source>Look into the sub-bands</source>
        <translation>In die Teilbänder sehen</translation>
    </message>
    <message>
        <source>How far A and B are from the original, where the pipeline should bring it back or keep it. PSNR refers to the largest value of the original.</source>
        <translation>Wie weit A und B vom Original entfernt sind, wo die Kette es zurückbringen oder erhalten soll. PSNR bezieht sich auf den größten Wert des Originals.</translation>
    </message>
    <message>
        <source>What should be known of the parameters for this input</source>
        <translation>Was über die Parameter für diese Eingabe zu wissen ist</translation>
    </message>
    <message>
        <source>Shows mosaic, energies and gains of the sub-bands in a panel of their own</source>
        <translation>Zeigt Mosaik, Energien und Verstärkungen der Teilbänder in einem eigenen Feld</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Largest error</source>
        <translation>Größter Fehler</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>RMSE</translation>
    </message>
    <message>
        <source>PSNR</source>
        <translation>PSNR</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>Against the original</source>
        <translation>Gegen das Original</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RooflineChart</name>
    <message>
        <source>%1 GFLOP/s %2</source>
        <translation>%1 GFLOP/s %2</translation>
    </message>
    <message>
        <source>%1 GB/s %2</source>
        <translation>%1 GB/s %2</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>falsches Ergebnis</translation>
    </message>
    <message>
        <source>⚠ above every roof: check the count and the time</source>
        <translation>⚠ über jeder Obergrenze: Zählung und Zeit prüfen</translation>
    </message>
    <message>
        <source>⚠ above the roof: data from a cache, or a wrong count</source>
        <translation>⚠ über der Obergrenze: Daten aus einem Cache oder falsche Zählung</translation>
    </message>
    <message>
        <source>Roofline chart</source>
        <translation>Roofline-Diagramm</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>FLOP/byte</source>
        <translation>FLOP/Byte</translation>
    </message>
    <message>
        <source>Operations a byte, by the model</source>
        <translation>Operationen je Byte nach dem Modell</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>Operations of the model a second of compute</source>
        <translation>Operationen des Modells je Sekunde Rechenzeit</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>Bytes of the model a second of compute</source>
        <translation>Bytes des Modells je Sekunde Rechenzeit</translation>
    </message>
    <message>
        <source>Roof</source>
        <translation>Obergrenze</translation>
    </message>
    <message>
        <source>What the machine can reach at this number of operations a byte</source>
        <translation>Was der Rechner bei so vielen Operationen je Byte erreichen kann</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Of that roof</source>
        <translation>An dieser Obergrenze</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>Begrenzt durch</translation>
    </message>
    <message>
        <source>The roof that is lowest here</source>
        <translation>Die Obergrenze, die hier am niedrigsten ist</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>the processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>The roofs of %1 are not measured: what is reached there cannot be judged.</source>
        <translation>Die Obergrenzen von %1 sind nicht gemessen: Was dort erreicht wird, lässt sich nicht beurteilen.</translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>%1: %2 GFLOP/s, %3 GB/s at %4 FLOP/byte</source>
        <translation>%1: %2 GFLOP/s, %3 GB/s bei %4 FLOP/Byte</translation>
    </message>
    <message>
        <source>
%1 % of what %2 allows</source>
        <translation>
%1 % dessen, was %2 erlaubt</translation>
    </message>
    <message>
        <source>Roofline

Press Benchmark to see how near each backend comes to what the machine can do. Measure roofs finds out what that is.</source>
        <translation>Roofline

Auf Benchmark drücken, um zu sehen, wie nahe jedes Backend dem kommt, was der Rechner kann. „Obergrenzen messen“ findet heraus, was das ist.</translation>
    </message>
    <message>
        <source>Roofline, model counts</source>
        <translation>Roofline, Zählung des Modells</translation>
    </message>
    <message>
        <source>Roofline, model counts – from %1</source>
        <translation>Roofline, Zählung des Modells – aus %1</translation>
    </message>
    <message>
        <source>operations a byte [FLOP/byte]</source>
        <translation>Operationen je Byte [FLOP/Byte]</translation>
    </message>
    <message>
        <source>Operations a second over operations a byte. Slanted lines are measured bandwidths, level ones measured rates: nothing can be above them. Operations and bytes are the least that the work needs, by a model; no counters are read. Large filled points are the last benchmark, small hollow ones joined by a line the last sweep. Click a point: B shows that run.</source>
        <translation>Operationen je Sekunde über Operationen je Byte. Schräge Linien sind gemessene Bandbreiten, waagerechte gemessene Raten: Nichts kann darüber liegen. Operationen und Bytes sind das Mindeste, was die Arbeit nach einem Modell braucht; Zähler werden nicht gelesen. Große gefüllte Punkte sind der letzte Benchmark, kleine hohle mit Linie die letzte Messreihe. Einen Punkt anklicken: B zeigt diesen Lauf.</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>Where this point is in the sweep; empty: of the benchmark</source>
        <translation>Wo dieser Punkt in der Messreihe steht; leer: aus dem Benchmark</translation>
    </message>
    <message>
        <source>Large points: the benchmark; small ones with a line: the sweep.</source>
        <translation>Große Punkte: der Benchmark; kleine mit Linie: die Messreihe.</translation>
    </message>
    <message>
        <source>What was measured on another machine (%1) is not shown beside this.</source>
        <translation>Was auf einem anderen Rechner (%1) gemessen wurde, wird daneben nicht gezeigt.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Roofline

There is no sweep yet.</source>
        <translation>Roofline

Es gibt noch keine Messreihe.</translation>
    </message>
    <message>
        <source>Roofline

There is no benchmark of this image yet.</source>
        <translation>Roofline

Von diesem Bild gibt es noch keinen Benchmark.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::SaveDataDialog</name>
    <message>
        <source>Result A</source>
        <translation>Ergebnis A</translation>
    </message>
    <message>
        <source>Result B</source>
        <translation>Ergebnis B</translation>
    </message>
    <message>
        <source>Difference B − A</source>
        <translation>Differenz B − A</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>8 bits</source>
        <translation>8 Bit</translation>
    </message>
    <message>
        <source>16 bits</source>
        <translation>16 Bit</translation>
    </message>
    <message>
        <source>16-bit float (half)</source>
        <translation>16-Bit-Gleitkomma (half)</translation>
    </message>
    <message>
        <source>32-bit float</source>
        <translation>32-Bit-Gleitkomma</translation>
    </message>
    <message>
        <source>as in the source</source>
        <translation>wie in der Quelle</translation>
    </message>
    <message>
        <source>Linear light with a shared exponent: about 1 % of precision, no negative values, no alpha.</source>
        <translation>Lineares Licht mit gemeinsamem Exponenten: etwa 1 % Genauigkeit, keine negativen Werte, kein Alpha.</translation>
    </message>
    <message>
        <source>sRGB, compressed with loss: to look at, not to compute with.</source>
        <translation>sRGB, mit Verlust komprimiert: zum Ansehen, nicht zum Rechnen.</translation>
    </message>
    <message>
        <source>As the source was stored, where the format can.</source>
        <translation>Wie die Quelle gespeichert war, wo das Format es kann.</translation>
    </message>
    <message>
        <source>Save data</source>
        <translation>Daten speichern</translation>
    </message>
    <message>
        <source>All of these, one file each</source>
        <translation>Alle diese, je eine Datei</translation>
    </message>
    <message>
        <source>Whose samples are saved; what the view does to them (exposure, colours) stays out of it</source>
        <translation>Wessen Werte gespeichert werden; was die Ansicht damit tut (Belichtung, Farben), bleibt außen vor</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>OpenEXR, TIFF and PFM keep floats; OpenEXR keeps channel names, metadata and how the image was made</source>
        <translation>OpenEXR, TIFF und PFM behalten Gleitkommazahlen; OpenEXR behält Kanalnamen, Metadaten und wie das Bild entstand</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Type of a stored sample</source>
        <translation>Typ eines gespeicherten Werts</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Where to: a file or, for several images, a folder</source>
        <translation>Wohin: eine Datei oder, bei mehreren Bildern, ein Ordner</translation>
    </message>
    <message>
        <source>&amp;Choose …</source>
        <translation>&amp;Wählen …</translation>
    </message>
    <message>
        <source>Choose the place in a list of folders</source>
        <translation>Den Ort in einer Liste von Ordnern wählen</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Write the file (Enter)</source>
        <translation>Die Datei schreiben (Enter)</translation>
    </message>
    <message>
        <source>Write nothing (Esc)</source>
        <translation>Nichts schreiben (Esc)</translation>
    </message>
    <message>
        <source>&amp;Image</source>
        <translation>&amp;Bild</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>&amp;Depth</source>
        <translation>&amp;Tiefe</translation>
    </message>
    <message>
        <source>F&amp;older</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>Fi&amp;le</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Give a name.</source>
        <translation>Einen Namen angeben.</translation>
    </message>
    <message>
        <source>There is no such folder.</source>
        <translation>Diesen Ordner gibt es nicht.</translation>
    </message>
    <message>
        <source>This is a folder.</source>
        <translation>Dies ist ein Ordner.</translation>
    </message>
    <message>
        <source>The name does not end in .%1, as the format does.</source>
        <translation>Der Name endet nicht auf .%1 wie das Format.</translation>
    </message>
    <message>
        <source>⚠ There already, and will be replaced: %1</source>
        <translation>⚠ Schon da und wird ersetzt: %1</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>&amp;Ersetzen</translation>
    </message>
    <message>
        <source>sRGB</source>
        <translation>sRGB</translation>
    </message>
    <message>
        <source>linear light</source>
        <translation>lineares Licht</translation>
    </message>
    <message>
        <source>Every sample as it was computed.</source>
        <translation>Jeder Wert, wie er berechnet wurde.</translation>
    </message>
    <message>
        <source>11 bits of precision, values up to 65504.</source>
        <translation>11 Bit Genauigkeit, Werte bis 65504.</translation>
    </message>
    <message>
        <source>65536 steps. Values below 0 and above 1 are clipped.</source>
        <translation>65536 Stufen. Werte unter 0 und über 1 werden abgeschnitten.</translation>
    </message>
    <message>
        <source>256 steps, few of them for the dark. Values below 0 and above 1 are clipped.</source>
        <translation>256 Stufen, wenige davon für Dunkles. Werte unter 0 und über 1 werden abgeschnitten.</translation>
    </message>
    <message>
        <source>256 steps. Values below 0 and above 1 are clipped.</source>
        <translation>256 Stufen. Werte unter 0 und über 1 werden abgeschnitten.</translation>
    </message>
    <message>
        <source>The &amp;views, as PNG</source>
        <translation>Die &amp;Ansichten, als PNG</translation>
    </message>
    <message>
        <source>The &amp;report, as HTML</source>
        <translation>Den Be&amp;richt, als HTML</translation>
    </message>
    <message>
        <source>What a stored number means: sRGB spends its steps as the eye does, linear light is proportional to the energy. Readers are told which it is</source>
        <translation>Was eine gespeicherte Zahl bedeutet: sRGB verteilt seine Stufen wie das Auge, lineares Licht ist proportional zur Energie. Die Datei sagt, welches es ist</translation>
    </message>
    <message>
        <source>Colour encoding</source>
        <translation>Farbkodierung</translation>
    </message>
    <message>
        <source>Name of each file: {input} is the name of the image, {result} the backend, &quot;difference&quot; or &quot;original&quot;, {pane} A, B, &quot;difference&quot; or &quot;original&quot;</source>
        <translation>Name jeder Datei: {input} ist der Name des Bilds, {result} das Backend, „difference“ oder „original“, {pane} A, B, „difference“ oder „original“</translation>
    </message>
    <message>
        <source>Pattern of the names</source>
        <translation>Muster der Namen</translation>
    </message>
    <message>
        <source>Also what the panes show, with colours, labels and marks</source>
        <translation>Auch, was die Felder zeigen, mit Farben, Beschriftung und Marken</translation>
    </message>
    <message>
        <source>Also what was measured</source>
        <translation>Auch, was gemessen wurde</translation>
    </message>
    <message>
        <source>Nothing has been measured yet: press F5 before</source>
        <translation>Noch ist nichts gemessen: vorher F5 drücken</translation>
    </message>
    <message>
        <source>Colour &amp;encoding</source>
        <translation>Farb&amp;kodierung</translation>
    </message>
    <message>
        <source>&amp;Names</source>
        <translation>&amp;Namen</translation>
    </message>
    <message>
        <source>Also</source>
        <translation>Außerdem</translation>
    </message>
    <message>
        <source>Give the files a name, without a folder.</source>
        <translation>Geben Sie den Dateien einen Namen, ohne Ordner.</translation>
    </message>
    <message>
        <source>volume</source>
        <translation>volumen</translation>
    </message>
    <message>
        <source>Leave &amp;alpha out</source>
        <translation>Al&amp;pha weglassen</translation>
    </message>
    <message>
        <source>Save the colours alone, as they are beside the alpha: for images whose alpha says nothing, as after the detection of edges</source>
        <translation>Nur die Farben speichern, wie sie neben dem Alpha stehen: für Bilder, deren Alpha nichts sagt, wie nach dem Suchen von Kanten</translation>
    </message>
    <message>
        <source>It is still being computed.</source>
        <translation>Es wird noch berechnet.</translation>
    </message>
    <message>
        <source>%1 is not there: it could not be computed.</source>
        <translation>%1 ist nicht da: es konnte nicht berechnet werden.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ScalingChart</name>
    <message>
        <source>%1: no serial share is seen (Amdahl).</source>
        <translation>%1: kein serieller Anteil zu sehen (Amdahl).</translation>
    </message>
    <message>
        <source>%1: %2 % serial, at most %3 with any number of threads (Amdahl).</source>
        <translation>%1: %2 % seriell, höchstens %3 mit beliebig vielen Threads (Amdahl).</translation>
    </message>
    <message>
        <source>The law fits badly: %1 % off.</source>
        <translation>Das Gesetz passt schlecht: %1 % daneben.</translation>
    </message>
    <message>
        <source>Scaling chart</source>
        <translation>Skalierungsdiagramm</translation>
    </message>
    <message>
        <source>Speedup over one thread, compute alone; whiskers are 95 % intervals. The straight line is ideal: twice the threads, half the time. Thin lines are Amdahl&apos;s law with the serial share that fits best.</source>
        <translation>Beschleunigung gegenüber einem Thread, nur Rechnen; die Striche sind 95-%-Intervalle. Die Gerade ist ideal: doppelt so viele Threads, halbe Zeit. Dünne Linien sind Amdahls Gesetz mit dem seriellen Anteil, der am besten passt.</translation>
    </message>
    <message>
        <source>Scaling

Press Sweep to measure with one thread, two, four and so on.</source>
        <translation>Skalierung

Auf Messreihe drücken, um mit einem Thread, zwei, vier und so weiter zu messen.</translation>
    </message>
    <message>
        <source>Scaling

No backend has run with two different numbers of threads yet.</source>
        <translation>Skalierung

Noch ist kein Backend mit zwei verschiedenen Anzahlen von Threads gelaufen.</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Median time of the computation alone</source>
        <translation>Median der Zeit für das Rechnen allein</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Time with one thread divided by this time</source>
        <translation>Zeit mit einem Thread geteilt durch diese Zeit</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Speedup divided by the number of threads</source>
        <translation>Beschleunigung geteilt durch die Zahl der Threads</translation>
    </message>
    <message>
        <source>Amdahl</source>
        <translation>Amdahl</translation>
    </message>
    <message>
        <source>What the fitted law gives at this number of threads</source>
        <translation>Was das angepasste Gesetz für so viele Threads angibt</translation>
    </message>
    <message>
        <source>Speedup over one thread</source>
        <translation>Beschleunigung gegenüber einem Thread</translation>
    </message>
    <message>
        <source>%1 – from %2</source>
        <translation>%1 – aus %2</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>ideal</source>
        <translation>ideal</translation>
    </message>
    <message>
        <source>%1, %2: %3, efficiency %4</source>
        <translation>%1, %2: %3, Effizienz %4</translation>
    </message>
</context>
<context>
    <name>parallax::ui::SelectionPanel</name>
    <message>
        <source>Statistics of the selection</source>
        <translation>Statistik der Auswahl</translation>
    </message>
    <message>
        <source>Finite samples of the selected pixels; σ is their standard deviation</source>
        <translation>Endliche Werte der gewählten Pixel; σ ist ihre Standardabweichung</translation>
    </message>
    <message>
        <source>Nothing is selected. Drag with Shift over an image, or press S and drag; Ctrl+A takes everything.</source>
        <translation>Nichts ist ausgewählt. Mit Umschalt über ein Bild ziehen, oder S drücken und ziehen; Strg+A nimmt alles.</translation>
    </message>
    <message>
        <source>least</source>
        <translation>kleinster</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>größter</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>σ</source>
        <translation>σ</translation>
    </message>
    <message>
        <source>nothing finite</source>
        <translation>nichts endlich</translation>
    </message>
    <message>
        <source>%1 NaN or infinite</source>
        <translation>%1 NaN oder unendlich</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>%1 pixels from x %2, y %3</source>
        <translation>%1 Pixel ab x %2, y %3</translation>
    </message>
    <message>
        <source>B − A: largest %1, RMSE %2</source>
        <translation>B − A: größte %1, RMSE %2</translation>
    </message>
</context>
<context>
    <name>parallax::ui::SeriesDialog</name>
    <message>
        <source>Choose a series</source>
        <translation>Serie wählen</translation>
    </message>
    <message>
        <source>Series of the folder</source>
        <translation>Serien des Ordners</translation>
    </message>
    <message>
        <source>Number, kind, size, distance of slices and description; [!] marks a series with something odd, which is said when it is opened</source>
        <translation>Nummer, Art, Größe, Abstand der Schichten und Beschreibung; [!] kennzeichnet eine Serie mit einer Auffälligkeit, die beim Öffnen genannt wird</translation>
    </message>
    <message>
        <source>The folder holds %1 series.</source>
        <translation>Der Ordner enthält %1 Serien.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Session</name>
    <message>
        <source>Computing %1 with %2</source>
        <translation>%1 wird mit %2 berechnet</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Change a parameter to run again</source>
        <translation>Einen Parameter ändern, um neu zu rechnen</translation>
    </message>
    <message>
        <source>Comparing A and B</source>
        <translation>A und B werden verglichen</translation>
    </message>
    <message>
        <source>Checking against the reference</source>
        <translation>Wird mit der Referenz verglichen</translation>
    </message>
    <message>
        <source>Preparing the view</source>
        <translation>Die Ansicht wird vorbereitet</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>Opened, with remarks</source>
        <translation>Geöffnet, mit Anmerkungen</translation>
    </message>
    <message>
        <source>There is nothing to measure</source>
        <translation>Es gibt nichts zu messen</translation>
    </message>
    <message>
        <source>no step is switched on</source>
        <translation>kein Schritt ist eingeschaltet</translation>
    </message>
    <message>
        <source>no image is open</source>
        <translation>kein Bild ist geöffnet</translation>
    </message>
    <message>
        <source>Add an operation in the Pipeline panel</source>
        <translation>Im Feld Pipeline eine Operation hinzufügen</translation>
    </message>
    <message>
        <source>Open an image or the sample</source>
        <translation>Ein Bild oder das Beispiel öffnen</translation>
    </message>
    <message>
        <source>Measuring %1 backends</source>
        <translation>%1 Backends werden gemessen</translation>
    </message>
    <message>
        <source>There is no image to save yet</source>
        <translation>Es gibt noch kein Bild zu speichern</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>%1 wird gespeichert</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>There is no report yet</source>
        <translation>Es gibt noch keinen Bericht</translation>
    </message>
    <message>
        <source>nothing has been measured</source>
        <translation>nichts wurde gemessen</translation>
    </message>
    <message>
        <source>Run a benchmark first</source>
        <translation>Zuerst einen Benchmark laufen lassen</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Counting values</source>
        <translation>Werte werden gezählt</translation>
    </message>
    <message>
        <source>Counting the selection</source>
        <translation>Die Auswahl wird gezählt</translation>
    </message>
    <message>
        <source>Preparing previews</source>
        <translation>Vorschauen werden vorbereitet</translation>
    </message>
    <message>
        <source>Volume, in the inspector, opens another one</source>
        <translation>„Volumen“ im Inspektor öffnet ein anderes</translation>
    </message>
    <message>
        <source>Checking each step of %1 against the reference</source>
        <translation>Jeder Schritt von %1 wird gegen die Referenz geprüft</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ShortcutSheet</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search shortcuts</source>
        <translation>Tastenkürzel durchsuchen</translation>
    </message>
    <message>
        <source>Show only what contains this text: a key, a command or what it does</source>
        <translation>Nur zeigen, was diesen Text enthält: eine Taste, einen Befehl oder seine Wirkung</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was er bewirkt</translation>
    </message>
    <message>
        <source>Every command of the menus with its keys</source>
        <translation>Jeder Befehl der Menüs mit seinen Tasten</translation>
    </message>
    <message>
        <source>In an image</source>
        <translation>In einem Bild</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoomen</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>Mausrad</translation>
    </message>
    <message>
        <source>Zoom at the cursor</source>
        <translation>Am Zeiger zoomen</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Drag, arrow keys</source>
        <translation>Ziehen, Pfeiltasten</translation>
    </message>
    <message>
        <source>Move the image; with Shift in larger steps</source>
        <translation>Das Bild bewegen; mit Umschalt in größeren Schritten</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Double click</source>
        <translation>Doppelklick</translation>
    </message>
    <message>
        <source>Show the whole image</source>
        <translation>Das ganze Bild zeigen</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy the list as text</source>
        <translation>Die Liste als Text kopieren</translation>
    </message>
    <message>
        <source>Close the list (Esc)</source>
        <translation>Die Liste schließen (Esc)</translation>
    </message>
    <message>
        <source>In a plane of a volume</source>
        <translation>In einer Ebene eines Volumens</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Wheel, Up, Down, Home, End</source>
        <translation>Rad, Auf, Ab, Pos1, Ende</translation>
    </message>
    <message>
        <source>Go through the slices; with Shift by ten</source>
        <translation>Durch die Schichten gehen; mit Umschalt zehn auf einmal</translation>
    </message>
    <message>
        <source>Crosshair</source>
        <translation>Fadenkreuz</translation>
    </message>
    <message>
        <source>Click, drag, Left, Right, Ctrl+Up, Ctrl+Down</source>
        <translation>Klicken, Ziehen, Links, Rechts, Strg+Auf, Strg+Ab</translation>
    </message>
    <message>
        <source>Move the voxel that all planes show</source>
        <translation>Den Voxel bewegen, den alle Ebenen zeigen</translation>
    </message>
    <message>
        <source>Window and level</source>
        <translation>Fenster und Lage</translation>
    </message>
    <message>
        <source>Right drag, Shift and drag</source>
        <translation>Ziehen mit rechts, Umschalt und Ziehen</translation>
    </message>
    <message>
        <source>Sideways the width, up and down the level</source>
        <translation>Seitwärts die Breite, auf und ab die Lage</translation>
    </message>
    <message>
        <source>Ctrl and wheel</source>
        <translation>Strg und Rad</translation>
    </message>
    <message>
        <source>Middle drag, Ctrl and drag</source>
        <translation>Ziehen mit der mittleren Taste, Strg und Ziehen</translation>
    </message>
    <message>
        <source>Move the plane</source>
        <translation>Die Ebene bewegen</translation>
    </message>
    <message>
        <source>Alone</source>
        <translation>Allein</translation>
    </message>
    <message>
        <source>Double click, Enter</source>
        <translation>Doppelklick, Eingabe</translation>
    </message>
    <message>
        <source>Show this pane in the place of all, and all again</source>
        <translation>Dieses Bild anstelle aller zeigen, und wieder alle</translation>
    </message>
</context>
<context>
    <name>parallax::ui::SpeedupChart</name>
    <message>
        <source>Speedup chart</source>
        <translation>Diagramm der Beschleunigung</translation>
    </message>
    <message>
        <source>Speedup

Press Benchmark to compare the backends.</source>
        <translation>Beschleunigung

Benchmark vergleicht die Backends.</translation>
    </message>
    <message>
        <source>Speedup over %1</source>
        <translation>Beschleunigung gegenüber %1</translation>
    </message>
    <message>
        <source>times as fast</source>
        <translation>mal so schnell</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>von Anfang bis Ende</translation>
    </message>
    <message>
        <source>Time of the baseline divided by the time of each backend; whiskers are 95 % intervals. Wrong results have no bar. Click a bar: B shows that run. Right click: copy or save.</source>
        <translation>Zeit der Basis geteilt durch die Zeit jedes Backends; die Striche sind 95-%-Intervalle. Falsche Ergebnisse haben keinen Balken. Klick auf einen Balken: B zeigt diesen Lauf. Rechtsklick: kopieren oder speichern.</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>%1, %2: %3 as fast as %4 (%5 – %6)</source>
        <translation>%1, %2: %3 so schnell wie %4 (%5 – %6)</translation>
    </message>
</context>
<context>
    <name>parallax::ui::StageChart</name>
    <message>
        <source>allocate</source>
        <translation>Anlegen</translation>
    </message>
    <message>
        <source>upload</source>
        <translation>Hochladen</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>exchange</source>
        <translation>Austauschen</translation>
    </message>
    <message>
        <source>download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Stages chart</source>
        <translation>Diagramm der Abschnitte</translation>
    </message>
    <message>
        <source>Stages

Press Benchmark to see where the time of each backend goes.</source>
        <translation>Abschnitte

Benchmark zeigt, wohin die Zeit jedes Backends geht.</translation>
    </message>
    <message>
        <source>Stages, median of a run</source>
        <translation>Abschnitte, Median eines Laufs</translation>
    </message>
    <message>
        <source>time [%1]</source>
        <translation>Zeit [%1]</translation>
    </message>
    <message>
        <source>Median time of every stage of a run, per backend. End to end is the whole bar; compute is the solid part. Click a bar: B shows that run. Right click: copy or save.</source>
        <translation>Median der Zeit jedes Abschnitts eines Laufs, je Backend. Von Anfang bis Ende ist der ganze Balken; Rechnen ist der volle Teil. Klick auf einen Balken: B zeigt diesen Lauf. Rechtsklick: kopieren oder speichern.</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>%1, %2: %3 of %4</source>
        <translation>%1, %2: %3 von %4</translation>
    </message>
    <message>
        <source>Longer than drawn: %1.</source>
        <translation>Länger als gezeichnet: %1.</translation>
    </message>
    <message>
        <source>Stages overlap, so that a run takes less than their sum: %1.</source>
        <translation>Abschnitte überlappen sich, ein Lauf dauert weniger als ihre Summe: %1.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::StatusArea</name>
    <message>
        <source>Compute time of A and B, end to end time in brackets, and their error</source>
        <translation>Rechenzeit von A und B, in Klammern von Anfang bis Ende, und ihr Fehler</translation>
    </message>
    <message>
        <source>Device pixels per image pixel</source>
        <translation>Bildschirmpixel je Bildpixel</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>No image</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>%1 %2: computing</source>
        <translation>%1 %2: wird berechnet</translation>
    </message>
    <message>
        <source>%1 %2: no result</source>
        <translation>%1 %2: kein Ergebnis</translation>
    </message>
    <message>
        <source>%1 %2: %3 (%4)</source>
        <translation>%1 %2: %3 (%4)</translation>
    </message>
    <message>
        <source>error against reference %1, allowed %2</source>
        <translation>Fehler gegen die Referenz %1, erlaubt %2</translation>
    </message>
    <message>
        <source>not checked against the reference: it would take long, Benchmark does it</source>
        <translation>nicht mit der Referenz verglichen: es dauerte lange, Benchmark tut es</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>How much of this stage is done; to and fro: it is not known. Esc stops it.</source>
        <translation>Wie viel von diesem Schritt getan ist; hin und her: das ist nicht bekannt. Esc bricht ihn ab.</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 samples are finite in one and not in the other</source>
        <translation>%1 Werte sind in einem endlich und im anderen nicht</translation>
    </message>
    <message>
        <source>error against reference %1, not judged</source>
        <translation>Fehler gegen die Referenz %1, nicht beurteilt</translation>
    </message>
    <message>
        <source>error against reference %1 in %2, allowed %3, each step alone</source>
        <translation>Fehler gegen die Referenz %1 in %2, erlaubt %3, jeder Schritt für sich</translation>
    </message>
</context>
<context>
    <name>parallax::ui::SweepChart</name>
    <message>
        <source>Sweep chart</source>
        <translation>Diagramm der Messreihe</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Median time of the computation alone</source>
        <translation>Median der Zeit für das Rechnen allein</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>95 % interval of the median of compute</source>
        <translation>95-%-Intervall des Medians der Rechenzeit</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>Anfang bis Ende</translation>
    </message>
    <message>
        <source>Median of allocate + upload + compute + download</source>
        <translation>Median von Anlegen + Hochladen + Rechnen + Herunterladen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>How many runs were timed; none is dropped</source>
        <translation>Wie viele Läufe gemessen wurden; keiner wird verworfen</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Against the reference</source>
        <translation>Gegen die Referenz</translation>
    </message>
    <message>
        <source>✓ agrees</source>
        <translation>✓ stimmt überein</translation>
    </message>
    <message>
        <source>✗ disagrees</source>
        <translation>✗ weicht ab</translation>
    </message>
    <message>
        <source>not verified</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>From about %1 on %2 is faster than %3.</source>
        <translation>Ab etwa %1 ist %2 schneller als %3.</translation>
    </message>
    <message>
        <source>From about %1 on %2 may be faster than %3: the intervals touch.</source>
        <translation>Ab etwa %1 ist %2 vielleicht schneller als %3: Die Intervalle berühren sich.</translation>
    </message>
    <message>
        <source>Sweep

Choose what to go over and press Sweep: every available backend is measured at each value.</source>
        <translation>Messreihe

Wählen, was sich ändert, und auf Messreihe drücken: Jedes verfügbare Backend wird bei jedem Wert gemessen.</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>Anfang bis Ende</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Time, %1</source>
        <translation>Zeit, %1</translation>
    </message>
    <message>
        <source>Time, %1 – from %2</source>
        <translation>Zeit, %1 – aus %2</translation>
    </message>
    <message>
        <source>Sweep

No backend has a time yet.</source>
        <translation>Messreihe

Noch hat kein Backend eine Zeit.</translation>
    </message>
    <message>
        <source>%1 at %2: %3 (%4 – %5)%6</source>
        <translation>%1 bei %2: %3 (%4 – %5)%6</translation>
    </message>
    <message>
        <source>
The result is wrong: it has no part in the comparison.</source>
        <translation>
Das Ergebnis ist falsch: Es nimmt am Vergleich nicht teil.</translation>
    </message>
    <message>
        <source>Median time of each implementation over the values of the sweep; whiskers are 95 % intervals. A dashed line marks where the fastest changes. Click a point, or choose it with the arrow keys and Enter: B shows that run. Of sizes, a generated image is opened in that size; of any other the part that was measured is marked.</source>
        <translation>Median der Zeit jeder Implementierung über den Werten der Messreihe; die Striche sind 95-%-Intervalle. Eine gestrichelte Linie markiert, wo der Schnellste wechselt. Einen Punkt anklicken oder mit Pfeiltasten und Eingabetaste wählen: B zeigt diesen Lauf. Bei Größen wird ein erzeugtes Bild in dieser Größe geöffnet, bei jedem anderen der gemessene Teil markiert.</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>nicht beurteilt</translation>
    </message>
</context>
<context>
    <name>parallax::ui::SweepControls</name>
    <message>
        <source>What to sweep over</source>
        <translation>Worüber die Messreihe geht</translation>
    </message>
    <message>
        <source>What changes from point to point: the size of the image, or a parameter of a step. Parameters that change the amount of work come first.</source>
        <translation>Was sich von Punkt zu Punkt ändert: die Größe des Bildes oder ein Parameter eines Schritts. Parameter, die die Arbeit verändern, stehen zuerst.</translation>
    </message>
    <message>
        <source>Numbers of threads</source>
        <translation>Anzahlen von Threads</translation>
    </message>
    <message>
        <source>Values of the sweep</source>
        <translation>Werte der Messreihe</translation>
    </message>
    <message>
        <source>Numbers of threads to measure with, separated by commas</source>
        <translation>Anzahlen von Threads, mit denen gemessen wird, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Values to measure at, separated by commas. Sizes are width and height of a square: the image is cut or repeated, a generated one is made anew.</source>
        <translation>Werte, bei denen gemessen wird, durch Kommas getrennt. Größen sind Breite und Höhe eines Quadrats: Das Bild wird beschnitten oder wiederholt, ein erzeugtes neu gemacht.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>End the sweep; the points that are done are kept (Esc)</source>
        <translation>Die Messreihe beenden; die fertigen Punkte bleiben (Esc)</translation>
    </message>
    <message>
        <source>Measure every available backend and A and B at each of these values, verified against the reference</source>
        <translation>Jedes verfügbare Backend sowie A und B bei jedem dieser Werte messen, gegen die Referenz geprüft</translation>
    </message>
</context>
<context>
    <name>parallax::ui::TargetModel</name>
    <message>
        <source>%1 is not available: %2.</source>
        <translation>%1 ist nicht verfügbar: %2.</translation>
    </message>
    <message>
        <source>%1 (not available)</source>
        <translation>%1 (nicht verfügbar)</translation>
    </message>
</context>
<context>
    <name>parallax::ui::TimelineChart</name>
    <message>
        <source>Timeline chart</source>
        <translation>Zeitverlaufsdiagramm</translation>
    </message>
    <message>
        <source>The run of each backend that took the median time: when its stages began and ended. Stages at work at the same time stand one below the other. Gaps are time between stages.</source>
        <translation>Der Lauf jedes Backends mit der mittleren Zeit: wann seine Abschnitte begannen und endeten. Gleichzeitige Abschnitte stehen untereinander. Lücken sind Zeit zwischen Abschnitten.</translation>
    </message>
    <message>
        <source>Timeline

This report does not say when its stages began.</source>
        <translation>Zeitverlauf

Dieser Bericht sagt nicht, wann seine Abschnitte begannen.</translation>
    </message>
    <message>
        <source>Timeline

Press Benchmark to see the stages of a run one after the other.</source>
        <translation>Zeitverlauf

Auf Benchmark drücken, um die Abschnitte eines Laufs nacheinander zu sehen.</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>Begins</source>
        <translation>Beginnt</translation>
    </message>
    <message>
        <source>After the beginning of the run</source>
        <translation>Nach dem Beginn des Laufs</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>Endet</translation>
    </message>
    <message>
        <source>At work</source>
        <translation>Beschäftigt</translation>
    </message>
    <message>
        <source>Less than the time between where it was interrupted</source>
        <translation>Weniger als die Zeit dazwischen, wo er unterbrochen wurde</translation>
    </message>
    <message>
        <source>Stages of a typical run, in time</source>
        <translation>Abschnitte eines typischen Laufs im Zeitverlauf</translation>
    </message>
    <message>
        <source>%1 – from %2</source>
        <translation>%1 – aus %2</translation>
    </message>
    <message>
        <source>time [%1]</source>
        <translation>Zeit [%1]</translation>
    </message>
    <message>
        <source>%1, %2: from %3 to %4</source>
        <translation>%1, %2: von %3 bis %4</translation>
    </message>
    <message>
        <source>Stages overlap: %1.</source>
        <translation>Abschnitte überlappen: %1.</translation>
    </message>
    <message>
        <source>Longer than drawn: %1.</source>
        <translation>Länger als gezeichnet: %1.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::TimingModel</name>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>not verified</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>Compute: median of %1 samples, 95 % interval by bootstrap, fastest %2</source>
        <translation>Rechnen: Median von %1 Messungen, 95-%-Intervall durch Bootstrap, schnellste %2</translation>
    </message>
    <message>
        <source>End to end: allocate + upload + compute + download</source>
        <translation>Von Anfang bis Ende: Anlegen + Hochladen + Rechnen + Herunterladen</translation>
    </message>
    <message>
        <source>Prepare, once: %1</source>
        <translation>Vorbereiten, einmal: %1</translation>
    </message>
    <message>
        <source>Largest error against the reference %1, allowed %2 (%3)</source>
        <translation>Größter Fehler gegen die Referenz %1, erlaubt %2 (%3)</translation>
    </message>
    <message>
        <source>No speedup is shown for a wrong result.</source>
        <translation>Für ein falsches Ergebnis wird keine Beschleunigung gezeigt.</translation>
    </message>
    <message>
        <source>Median time of the computation alone</source>
        <translation>Median der Zeit des Rechnens allein</translation>
    </message>
    <message>
        <source>95 % interval of that median</source>
        <translation>95-%-Intervall dieses Medians</translation>
    </message>
    <message>
        <source>Compute time of the baseline divided by this one&apos;s</source>
        <translation>Rechenzeit der Basis geteilt durch diese</translation>
    </message>
    <message>
        <source>Largest absolute error against the reference; ✓ within the tolerance</source>
        <translation>Größter absoluter Fehler gegen die Referenz; ✓ innerhalb der Toleranz</translation>
    </message>
    <message>
        <source>How many runs were timed; none is dropped</source>
        <translation>Wie viele Läufe gemessen wurden; keiner wird verworfen</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>Anfang bis Ende</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Max error</source>
        <translation>Max. Fehler</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>Variant and device that ran, and its threads; the tooltip of a row says why this variant</source>
        <translation>Variante und Gerät, die liefen, und die Zahl der Threads; der Tooltip einer Zeile sagt, warum diese Variante</translation>
    </message>
    <message>
        <source>Ran on</source>
        <translation>Lief auf</translation>
    </message>
    <message>
        <source>Median of the whole run: allocate + upload + compute + download, less where they overlap</source>
        <translation>Median des ganzen Laufs: Anlegen + Hinladen + Rechnen + Zurückladen, weniger, wo sie sich überlappen</translation>
    </message>
    <message>
        <source>Largest error against the reference %1; the bound of this pipeline allows any result, so that nothing is judged by it</source>
        <translation>Größter Fehler gegen die Referenz %1; die Schranke dieser Pipeline erlaubt jedes Ergebnis, beurteilt wird damit nichts</translation>
    </message>
</context>
<context>
    <name>parallax::ui::TimingPanel</name>
    <message>
        <source>Benchmark</source>
        <translation>Benchmark</translation>
    </message>
    <message>
        <source>How long each backend is measured: quick takes seconds, thorough minutes and gives narrow intervals.</source>
        <translation>Wie lange jedes Backend gemessen wird: schnell dauert Sekunden, gründlich Minuten und ergibt enge Intervalle.</translation>
    </message>
    <message>
        <source>Effort of the benchmark</source>
        <translation>Aufwand des Benchmarks</translation>
    </message>
    <message>
        <source>Measure the pipeline on every available backend and on A and B, interleaved and verified against the reference (F5)</source>
        <translation>Die Pipeline auf jedem verfügbaren Backend und auf A und B messen, abwechselnd und mit der Referenz verglichen (F5)</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <source>Copy the table as tab-separated text</source>
        <translation>Die Tabelle als Text mit Tabulatoren kopieren</translation>
    </message>
    <message>
        <source>Timing table</source>
        <translation>Tabelle der Zeiten</translation>
    </message>
    <message>
        <source>Not measured yet</source>
        <translation>Noch nicht gemessen</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>Measuring … </source>
        <translation>Wird gemessen … </translation>
    </message>
    <message>
        <source>Outdated: the pipeline has changed since. </source>
        <translation>Veraltet: die Pipeline hat sich seither geändert. </translation>
    </message>
    <message>
        <source>One line for each backend, as in the charts. Ctrl+C copies what is selected.</source>
        <translation>Eine Zeile je Backend, wie in den Diagrammen. Strg+C kopiert, was ausgewählt ist.</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Which charts are shown</source>
        <translation>Welche Diagramme zu sehen sind</translation>
    </message>
    <message>
        <source>Stages and speedup</source>
        <translation>Abschnitte und Beschleunigung</translation>
    </message>
    <message>
        <source>Where the time of each backend goes, and how much faster it is than the baseline</source>
        <translation>Wohin die Zeit jedes Backends geht und wie viel schneller es als die Basis ist</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Each timed run as it arrives</source>
        <translation>Jeder gemessene Lauf, sobald er da ist</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>When the stages of a typical run begin and end, and where they overlap</source>
        <translation>Wann die Abschnitte eines typischen Laufs beginnen und enden und wo sie sich überlappen</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Speedup over the number of threads, with efficiency and Amdahl&apos;s law</source>
        <translation>Beschleunigung über der Zahl der Threads, mit Effizienz und Amdahls Gesetz</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>Time over size or a parameter, and where the fastest backend changes</source>
        <translation>Zeit über Größe oder Parameter, und wo das schnellste Backend wechselt</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>How near each backend comes to what the machine can do</source>
        <translation>Wie nahe jedes Backend dem kommt, was der Rechner kann</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Past runs: show one again, or compare with it</source>
        <translation>Frühere Läufe: wieder anzeigen oder damit vergleichen</translation>
    </message>
    <message>
        <source>Baseline of the speedups</source>
        <translation>Basis der Beschleunigungen</translation>
    </message>
    <message>
        <source>What speedups refer to. One thread of openmp or openmp.scalar is the honest serial baseline; the reference is made to be right, not fast.</source>
        <translation>Worauf sich Beschleunigungen beziehen. Ein Thread von openmp oder openmp.scalar ist die ehrliche serielle Basis; die Referenz soll richtig sein, nicht schnell.</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>Measure roofs</source>
        <translation>Obergrenzen messen</translation>
    </message>
    <message>
        <source>Measure bandwidths and rates of this machine: seconds to a minute, in the background. They are kept for the next time.</source>
        <translation>Bandbreiten und Raten dieses Rechners messen: Sekunden bis eine Minute, im Hintergrund. Sie werden für das nächste Mal aufbewahrt.</translation>
    </message>
    <message>
        <source>Which time the sweep shows</source>
        <translation>Welche Zeit die Messreihe zeigt</translation>
    </message>
    <message>
        <source>Compute: the computation alone. End to end: with allocation and transfers, which is what a single image costs.</source>
        <translation>Rechnen: nur die Berechnung. Von Anfang bis Ende: mit Anlegen und Übertragen, also was ein einzelnes Bild kostet.</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>Anfang bis Ende</translation>
    </message>
    <message>
        <source>Not of this session, from %1: %2</source>
        <translation>Nicht aus dieser Sitzung, aus %1: %2</translation>
    </message>
    <message>
        <source>The pipeline takes %1, as at this point; undo takes it back.</source>
        <translation>Die Pipeline übernimmt %1 wie an diesem Punkt; Rückgängig nimmt es zurück.</translation>
    </message>
    <message>
        <source>B shows %1</source>
        <translation>B zeigt %1</translation>
    </message>
    <message>
        <source>Which points the roofline shows</source>
        <translation>Welche Punkte die Roofline zeigt</translation>
    </message>
    <message>
        <source>Points of the last benchmark are large and filled, those of the last sweep small, hollow and joined by a line</source>
        <translation>Punkte des letzten Benchmarks sind groß und gefüllt, die der letzten Messreihe klein, hohl und durch eine Linie verbunden</translation>
    </message>
    <message>
        <source>benchmark and sweep</source>
        <translation>Benchmark und Messreihe</translation>
    </message>
    <message>
        <source>benchmark</source>
        <translation>Benchmark</translation>
    </message>
    <message>
        <source>sweep</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>That run was on the image generated in %1. It is opened when nothing is measured.</source>
        <translation>Dieser Lauf war mit dem Bild, erzeugt in %1. Es wird geöffnet, wenn nicht gemessen wird.</translation>
    </message>
    <message>
        <source>Opened the image generated in %1, which that run was on.</source>
        <translation>Das Bild, erzeugt in %1, wurde geöffnet: Damit war dieser Lauf.</translation>
    </message>
    <message>
        <source>That run was on another image: %1, %2.</source>
        <translation>Dieser Lauf war mit einem anderen Bild: %1, %2.</translation>
    </message>
    <message>
        <source>That run was on this image, repeated and cut to %1. B is the result of the image as it is.</source>
        <translation>Dieser Lauf war mit diesem Bild, wiederholt und auf %1 geschnitten. B ist das Ergebnis des Bildes, wie es ist.</translation>
    </message>
    <message>
        <source>That run was on the marked part, %1. B is the result of the whole image: it differs at the edges of the part, and where an operation looks at all of the image.</source>
        <translation>Dieser Lauf war mit dem markierten Teil, %1. B ist das Ergebnis des ganzen Bildes: Es weicht am Rand des Teils ab, und wo eine Operation das ganze Bild betrachtet.</translation>
    </message>
    <message>
        <source>quick</source>
        <translation>schnell</translation>
    </message>
    <message>
        <source>normal</source>
        <translation>normal</translation>
    </message>
    <message>
        <source>thorough</source>
        <translation>gründlich</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ViewPanel</name>
    <message>
        <source>Brightness of the view in stops: +1 doubles it. Data never change. Keys E and Shift+E.</source>
        <translation>Helligkeit der Ansicht in Blenden: +1 verdoppelt sie. Die Daten ändern sich nie. Tasten E und Umschalt+E.</translation>
    </message>
    <message>
        <source>Exposure slider</source>
        <translation>Schieber der Belichtung</translation>
    </message>
    <message>
        <source>Exposure</source>
        <translation>Belichtung</translation>
    </message>
    <message>
        <source> EV</source>
        <translation> EV</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>Added after the exposure: 0 is black and 1 white</source>
        <translation>Nach der Belichtung addiert: 0 ist Schwarz und 1 Weiß</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>Kodierung</translation>
    </message>
    <message>
        <source>How brightness is spread over the 256 steps of the screen. sRGB is right for linear light.</source>
        <translation>Wie die Helligkeit auf die 256 Stufen des Bildschirms verteilt wird. Für lineares Licht ist sRGB richtig.</translation>
    </message>
    <message>
        <source>sRGB</source>
        <translation>sRGB</translation>
    </message>
    <message>
        <source>gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>The screen gets the value to the power of 1 / gamma</source>
        <translation>Der Bildschirm erhält den Wert hoch 1 / Gamma</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>All colours, their luminance (ITU-R BT.709), or one channel alone</source>
        <translation>Alle Farben, ihre Leuchtdichte (ITU-R BT.709) oder ein Kanal allein</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>Farbtabelle</translation>
    </message>
    <message>
        <source>One value as grey or in false colours, from black point to white point</source>
        <translation>Ein Wert als Grau oder in Falschfarben, vom Schwarz- bis zum Weißpunkt</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>even ramp</source>
        <translation>gleichmäßig</translation>
    </message>
    <message>
        <source>heat</source>
        <translation>Glut</translation>
    </message>
    <message>
        <source>blue–orange</source>
        <translation>Blau–Orange</translation>
    </message>
    <message>
        <source>Mark clipping</source>
        <translation>Übersteuerung</translation>
    </message>
    <message>
        <source>Red: brighter than white. Blue: darker than black. NaN is magenta at all times. Key M.</source>
        <translation>Rot: heller als Weiß. Blau: dunkler als Schwarz. NaN ist immer magenta. Taste M.</translation>
    </message>
    <message>
        <source>Pixel grid</source>
        <translation>Pixelraster</translation>
    </message>
    <message>
        <source>Lines and values when pixels are large enough. Key G.</source>
        <translation>Linien und Werte, wenn Pixel groß genug sind. Taste G.</translation>
    </message>
    <message>
        <source>Range of the difference</source>
        <translation>Bereich der Differenz</translation>
    </message>
    <message>
        <source>Which difference reaches the ends of the colour map. Automatic: 99 % of the samples that differ lie within.</source>
        <translation>Welche Differenz die Enden der Farbtabelle erreicht. Automatisch: 99 % der verschiedenen Werte liegen darin.</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>bis %1</translation>
    </message>
    <message>
        <source>Kind of difference</source>
        <translation>Art der Differenz</translation>
    </message>
    <message>
        <source>What the pane of the difference shows: B − A with its sign, its magnitude, its magnitude as a part of the larger of |A| and |B|, or its square. Of all channels the largest.</source>
        <translation>Was das Feld der Differenz zeigt: B − A mit Vorzeichen, den Betrag, den Betrag als Teil des größeren von |A| und |B|, oder das Quadrat. Von allen Kanälen das Größte.</translation>
    </message>
    <message>
        <source>signed</source>
        <translation>mit Vorz.</translation>
    </message>
    <message>
        <source>absolute</source>
        <translation>absolut</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>relativ</translation>
    </message>
    <message>
        <source>squared</source>
        <translation>quadriert</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Exposure so that 99 % of the pixels are no brighter than white; with one channel or false colours, black and white point. From the selection if there is one. Key A.</source>
        <translation>Belichtung so, dass 99 % der Pixel höchstens weiß sind; bei einem Kanal oder Falschfarben Schwarz- und Weißpunkt. Aus der Auswahl, wenn es eine gibt. Taste A.</translation>
    </message>
    <message>
        <source>Automatic exposure</source>
        <translation>Automatische Belichtung</translation>
    </message>
    <message>
        <source>All of this as at first (R)</source>
        <translation>All dies wie am Anfang (R)</translation>
    </message>
    <message>
        <source>Reset the view of values</source>
        <translation>Ansicht der Werte zurücksetzen</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>luminance</source>
        <translation>Leuchtdichte</translation>
    </message>
</context>
<context>
    <name>parallax::ui::VolumePane</name>
    <message>
        <source>Axial</source>
        <translation>Axial</translation>
    </message>
    <message>
        <source>Plane x, y</source>
        <translation>Ebene x, y</translation>
    </message>
    <message>
        <source>Coronal</source>
        <translation>Koronar</translation>
    </message>
    <message>
        <source>Plane x, z</source>
        <translation>Ebene x, z</translation>
    </message>
    <message>
        <source>Sagittal</source>
        <translation>Sagittal</translation>
    </message>
    <message>
        <source>Plane y, z</source>
        <translation>Ebene y, z</translation>
    </message>
    <message>
        <source>%1, %2 %3</source>
        <translation>%1, %2 %3</translation>
    </message>
    <message>
        <source>%1 %2 of 0–%3</source>
        <translation>%1 %2 von 0–%3</translation>
    </message>
    <message>
        <source>MIP</source>
        <translation>MIP</translation>
    </message>
    <message>
        <source>MinIP</source>
        <translation>MinIP</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Slab is being computed …</source>
        <translation>Scheibe wird berechnet …</translation>
    </message>
</context>
<context>
    <name>parallax::ui::VolumePanel</name>
    <message>
        <source>smooth</source>
        <translation>glatt</translation>
    </message>
    <message>
        <source>radiological</source>
        <translation>radiologisch</translation>
    </message>
    <message>
        <source>crosshair</source>
        <translation>Fadenkreuz</translation>
    </message>
    <message>
        <source>inverted</source>
        <translation>invertiert</translation>
    </message>
    <message>
        <source>Window preset</source>
        <translation>Fenstervorgabe</translation>
    </message>
    <message>
        <source>Usual ranges of values for tissues in CT (width, level), and those that the file proposes. View only: data never change.</source>
        <translation>Übliche Wertebereiche für Gewebe im CT (Breite, Lage) und die, die die Datei vorschlägt. Nur die Ansicht: Daten ändern sich nie.</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Lage</translation>
    </message>
    <message>
        <source>The value that is shown as middle grey. Dragging with the right button up and down over a picture changes it.</source>
        <translation>Der Wert, der als mittleres Grau gezeigt wird. Ziehen mit der rechten Taste nach oben und unten über einem Bild ändert ihn.</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>From the value that is shown black to the one that is shown white. Dragging with the right button to the sides over a picture changes it.</source>
        <translation>Von dem Wert, der schwarz gezeigt wird, bis zu dem, der weiß gezeigt wird. Ziehen mit der rechten Taste zur Seite über einem Bild ändert sie.</translation>
    </message>
    <message>
        <source>Slab</source>
        <translation>Scheibe</translation>
    </message>
    <message>
        <source>What is shown of several slices around the crosshair: the largest value (MIP), the least (MinIP) or the mean. Of a difference, MIP and MinIP show the value of largest magnitude.</source>
        <translation>Was von mehreren Schichten um das Fadenkreuz gezeigt wird: der größte Wert (MIP), der kleinste (MinIP) oder das Mittel. Von einer Differenz zeigen MIP und MinIP den Wert vom größten Betrag.</translation>
    </message>
    <message>
        <source>one slice</source>
        <translation>eine Schicht</translation>
    </message>
    <message>
        <source>MIP</source>
        <translation>MIP</translation>
    </message>
    <message>
        <source>MinIP</source>
        <translation>MinIP</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source> mm</source>
        <translation> mm</translation>
    </message>
    <message>
        <source>Thickness of the slab</source>
        <translation>Dicke der Scheibe</translation>
    </message>
    <message>
        <source>Slices whose middle is no farther from the crosshair than half of this belong to the slab</source>
        <translation>Schichten, deren Mitte höchstens halb so weit vom Fadenkreuz liegt, gehören zur Scheibe</translation>
    </message>
    <message>
        <source>Planes</source>
        <translation>Ebenen</translation>
    </message>
    <message>
        <source>All three planes, or one that has all the room (Alt+1 to Alt+4)</source>
        <translation>Alle drei Ebenen oder eine, die allen Platz hat (Alt+1 bis Alt+4)</translation>
    </message>
    <message>
        <source>all three</source>
        <translation>alle drei</translation>
    </message>
    <message>
        <source>axial</source>
        <translation>axial</translation>
    </message>
    <message>
        <source>coronal</source>
        <translation>koronar</translation>
    </message>
    <message>
        <source>sagittal</source>
        <translation>sagittal</translation>
    </message>
    <message>
        <source>Interpolate between voxels for the screen; else each voxel is a rectangle. Values under the mouse are always those of the voxel.</source>
        <translation>Für den Bildschirm zwischen Voxeln interpolieren; sonst ist jedes Voxel ein Rechteck. Werte unter der Maus sind immer die des Voxels.</translation>
    </message>
    <message>
        <source>The patient&apos;s right is on the left of axial and coronal planes, as if one stood at the feet; else on the right</source>
        <translation>Die rechte Seite des Patienten liegt in axialen und koronaren Ebenen links, als stünde man an seinen Füßen; sonst rechts</translation>
    </message>
    <message>
        <source>Show the lines of the crosshair (H)</source>
        <translation>Die Linien des Fadenkreuzes zeigen (H)</translation>
    </message>
    <message>
        <source>Small values bright (I)</source>
        <translation>Kleine Werte hell (I)</translation>
    </message>
    <message>
        <source>Extent of the volume</source>
        <translation>Ausdehnung des Volumens</translation>
    </message>
    <message>
        <source>Distances between voxels, and how far the volume reaches</source>
        <translation>Abstände der Voxel und die Ausdehnung des Volumens</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>eigenes</translation>
    </message>
    <message>
        <source>%1 (%2, %3)</source>
        <translation>%1 (%2, %3)</translation>
    </message>
    <message>
        <source>Voxels of %1 × %2 × %3 mm, in all %4 × %5 × %6 mm</source>
        <translation>Voxel von %1 × %2 × %3 mm, im Ganzen %4 × %5 × %6 mm</translation>
    </message>
    <message>
        <source>, up to %1° oblique</source>
        <translation>, bis zu %1° schräg</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Volumen</translation>
    </message>
    <message>
        <source>Volume of the file</source>
        <translation>Volumen der Datei</translation>
    </message>
    <message>
        <source>Which of the volumes of the file is open, from 0. Window, planes and crosshair stay.</source>
        <translation>Welches der Volumen der Datei geöffnet ist, ab 0. Fenster, Ebenen und Fadenkreuz bleiben.</translation>
    </message>
    <message>
        <source> of 0–%1</source>
        <translation> von 0–%1</translation>
    </message>
    <message>
        <source>. The file does not say how it lies in the patient</source>
        <translation>. Die Datei sagt nicht, wie es im Patienten liegt</translation>
    </message>
    <message>
        <source>The file does not say how the volume lies in the patient: sides and planes are called by the axes x, y and z of the file, and x goes to the right</source>
        <translation>Die Datei sagt nicht, wie das Volumen im Patienten liegt: Seiten und Ebenen heißen nach den Achsen x, y und z der Datei, und x geht nach rechts</translation>
    </message>
    <message>
        <source>x, y</source>
        <translation>x, y</translation>
    </message>
    <message>
        <source>x, z</source>
        <translation>x, z</translation>
    </message>
    <message>
        <source>y, z</source>
        <translation>y, z</translation>
    </message>
</context>
<context>
    <name>parallax::ui::VolumeView</name>
    <message>
        <source>Voxel under the mouse</source>
        <translation>Voxel unter der Maus</translation>
    </message>
    <message>
        <source>The voxel under the mouse, else the one at the crosshair: its number along x, y and z of the file from 0, its place in the patient in mm (left or right, back or front, head or feet) and its values</source>
        <translation>Das Voxel unter der Maus, sonst das am Fadenkreuz: seine Nummer entlang x, y und z der Datei ab 0, sein Ort im Patienten in mm (links oder rechts, hinten oder vorn, Kopf oder Füße) und seine Werte</translation>
    </message>
    <message>
        <source>%1 × %2 × %3 mm</source>
        <translation>%1 × %2 × %3 mm</translation>
    </message>
    <message>
        <source>Radiological: the patient&apos;s right is on the left</source>
        <translation>Radiologisch: die rechte Seite des Patienten liegt links</translation>
    </message>
    <message>
        <source>Neurological: the patient&apos;s right is on the right</source>
        <translation>Neurologisch: die rechte Seite des Patienten liegt rechts</translation>
    </message>
    <message>
        <source>Distances and sides are not known</source>
        <translation>Abstände und Seiten sind nicht bekannt</translation>
    </message>
    <message>
        <source>The voxels&apos; axes are up to %1° oblique; planes follow them</source>
        <translation>Die Achsen der Voxel liegen bis zu %1° schräg; die Ebenen folgen ihnen</translation>
    </message>
    <message>
        <source>Level %1, width %2 %3</source>
        <translation>Lage %1, Breite %2 %3</translation>
    </message>
    <message>
        <source>%1 slice</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>Slice of the plane %1; the wheel over a picture does the same</source>
        <translation>Schicht der Ebene %1; das Rad über einem Bild tut dasselbe</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>x %1, y %2, z %3</source>
        <translation>x %1, y %2, z %3</translation>
    </message>
    <message>
        <source>Crosshair x %1, y %2, z %3</source>
        <translation>Fadenkreuz x %1, y %2, z %3</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>The file does not say how it lies in the patient: sides are called by its axes</source>
        <translation>Die Datei sagt nicht, wie es im Patienten liegt: Seiten heißen nach ihren Achsen</translation>
    </message>
    <message>
        <source>Click or drag: move the crosshair. Wheel, Up and Down: slices, ten with Shift. Right drag or Shift and drag: window and level. Ctrl and wheel: zoom. Middle drag or Ctrl and drag: move. Double click or Enter: this pane alone, and all again.</source>
        <translation>Klicken oder Ziehen: Fadenkreuz bewegen. Rad, Pfeil auf und ab: Schichten, mit Umschalt zehn. Rechts ziehen oder Umschalt und ziehen: Fenster und Lage. Strg und Rad: Vergrößerung. Mitte ziehen oder Strg und ziehen: verschieben. Doppelklick oder Eingabe: dieses Bild allein, und wieder alle.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::WorstPixelsPanel</name>
    <message>
        <source>x, y</source>
        <translation>x, y</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>Largest differences</source>
        <translation>Größte Differenzen</translation>
    </message>
    <message>
        <source>The largest differences of B against A. A click, or Enter, shows the pixel in every pane and marks it.</source>
        <translation>Die größten Differenzen von B gegen A. Ein Klick, oder Enter, zeigt das Pixel in jedem Feld und markiert es.</translation>
    </message>
    <message>
        <source>Nothing compared yet</source>
        <translation>Noch nichts verglichen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>None: A and B are the same in every sample</source>
        <translation>Keine: A und B sind in jedem Wert gleich</translation>
    </message>
    <message>
        <source>x, y, z</source>
        <translation>x, y, z</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1, %2, %3</translation>
    </message>
</context>
<context>
    <name>parameters</name>
    <message>
        <source>%1, slider</source>
        <translation>%1, Schieber</translation>
    </message>
</context>
<context>
    <name>windowPresets</name>
    <message>
        <source>from the file</source>
        <translation>aus der Datei</translation>
    </message>
    <message>
        <source>from the file, %1</source>
        <translation>aus der Datei, %1</translation>
    </message>
    <message>
        <source>from the file: %1</source>
        <translation>aus der Datei: %1</translation>
    </message>
    <message>
        <source>Abdomen</source>
        <translation>Abdomen</translation>
    </message>
    <message>
        <source>Bone</source>
        <translation>Knochen</translation>
    </message>
    <message>
        <source>Brain</source>
        <translation>Gehirn</translation>
    </message>
    <message>
        <source>Lung</source>
        <translation>Lunge</translation>
    </message>
    <message>
        <source>Mediastinum</source>
        <translation>Mediastinum</translation>
    </message>
    <message>
        <source>Liver</source>
        <translation>Leber</translation>
    </message>
    <message>
        <source>from the values</source>
        <translation>aus den Werten</translation>
    </message>
</context>
</TS>
