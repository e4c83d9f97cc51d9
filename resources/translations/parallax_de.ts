<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>ContactSheet</name>
    <message>
        <source>Logarithmic values need a range above 0</source>
        <translation>Logarithmische Werte brauchen einen Bereich über 0</translation>
    </message>
    <message>
        <source>0 and negative numbers have no logarithm</source>
        <translation>0 und negative Zahlen haben keinen Logarithmus</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a number</source>
        <translation>„%1“ ist keine Zahl</translation>
    </message>
    <message>
        <source>%1 is out of range</source>
        <translation>%1 liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>allowed are %1 to %2</source>
        <translation>erlaubt sind %1 bis %2</translation>
    </message>
    <message>
        <source>%1 is not a whole number</source>
        <translation>%1 ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>A contact sheet needs at least two values</source>
        <translation>Ein Kontaktbogen braucht mindestens zwei Werte</translation>
    </message>
    <message>
        <source>A contact sheet has at most %1 values</source>
        <translation>Ein Kontaktbogen hat höchstens %1 Werte</translation>
    </message>
</context>
<context>
    <name>PipelineModel</name>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
</context>
<context>
    <name>QCustomPlot</name>
    <message>
        <source>The chart was not saved</source>
        <translation>Das Diagramm wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>&apos;.%1&apos; is not a format of charts</source>
        <translation>„.%1“ ist kein Format für Diagramme</translation>
    </message>
    <message>
        <source>&amp;Copy the picture</source>
        <translation>Bild &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Save the chart …</source>
        <translation>Diagramm &amp;speichern …</translation>
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
    <message>
        <source>Save chart</source>
        <translation>Diagramm speichern</translation>
    </message>
    <message>
        <source>Use svg, pdf, png or csv</source>
        <translation>svg, pdf, png oder csv verwenden</translation>
    </message>
    <message>
        <source>Copy the chart to the clipboard as a picture</source>
        <translation>Das Diagramm als Bild in die Zwischenablage kopieren</translation>
    </message>
    <message>
        <source>Copy the &amp;data</source>
        <translation>&amp;Daten kopieren</translation>
    </message>
    <message>
        <source>Copy the data of the chart to the clipboard as comma-separated values</source>
        <translation>Die Daten des Diagramms als kommagetrennte Werte in die Zwischenablage kopieren</translation>
    </message>
    <message>
        <source>Save the chart as SVG, PDF or PNG, or its data as CSV</source>
        <translation>Das Diagramm als SVG, PDF oder PNG oder seine Daten als CSV speichern</translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>%1: not saved</source>
        <translation>%1: nicht gespeichert</translation>
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
        <source>Compiler</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Build</translation>
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
        <source>Export sweep report</source>
        <translation>Bericht der Messreihe exportieren</translation>
    </message>
    <message>
        <source>Open recipe</source>
        <translation>Rezept öffnen</translation>
    </message>
    <message>
        <source>Save recipe</source>
        <translation>Rezept speichern</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Voreinstellungen</translation>
    </message>
    <message>
        <source>Apply this preset of yours</source>
        <translation>Diese eigene Voreinstellung anwenden</translation>
    </message>
    <message>
        <source>medical data</source>
        <translation>medizinische Daten</translation>
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
        <source>Alpha</source>
        <translation>Alpha</translation>
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
        <source>Emboss</source>
        <translation>Relief</translation>
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
        <source>Replicate</source>
        <translation>Fortsetzen</translation>
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
        <source>Unsharp mask</source>
        <translation>Unscharf maskieren</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
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
        <source>000|abcd|000</source>
        <translation>000|abcd|000</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
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
        <source>As OpenCV</source>
        <translation>Wie OpenCV</translation>
    </message>
    <message>
        <source>As in the paper</source>
        <translation>Wie in der Veröffentlichung</translation>
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
        <source>Chosen scale</source>
        <translation>Gewählte Größe</translation>
    </message>
    <message>
        <source>Chromatic adaptation</source>
        <translation>Farbanpassung</translation>
    </message>
    <message>
        <source>Coefficients kept</source>
        <translation>Behaltene Koeffizienten</translation>
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
        <source>Custom filters</source>
        <translation>Eigene Filter</translation>
    </message>
    <message>
        <source>Cut by the ceiling</source>
        <translation>Von der Grenze gekappt</translation>
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
        <source>Each level</source>
        <translation>Jede Stufe</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>Kodierung</translation>
    </message>
    <message>
        <source>Exponent m of the photoreceptor model.</source>
        <translation>Exponent m des Fotorezeptor-Modells.</translation>
    </message>
    <message>
        <source>Factors by level</source>
        <translation>Faktoren je Stufe</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Finest level</source>
        <translation>Feinste Stufe</translation>
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
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
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
        <source>Noise, standard deviation</source>
        <translation>Rauschen, Standardabweichung</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
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
        <source>Rec. 601</source>
        <translation>Rec. 601</translation>
    </message>
    <message>
        <source>Rec. 709</source>
        <translation>Rec. 709</translation>
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
        <source>Sharpening</source>
        <translation>Schärfung</translation>
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
        <source>The tone-mapped image</source>
        <translation>Das tonwertabgebildete Bild</translation>
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
    <message>
        <source>&apos;all&apos; (except alpha), or names separated by commas, such as R,G. Other channels are copied.</source>
        <translation>„all“ (außer Alpha) oder durch Kommas getrennte Namen wie R,G. Andere Kanäle werden kopiert.</translation>
    </message>
    <message>
        <source>&apos;all&apos;, or names separated by commas, such as R,G. Other channels are copied.</source>
        <translation>„all“ oder durch Kommas getrennte Namen wie R,G. Andere Kanäle werden kopiert.</translation>
    </message>
    <message>
        <source>&apos;auto&apos; (R, G and B of the first layer, or the only grey channel), or the names of one or three channels, such as left.R,left.G,left.B. Other channels are copied.</source>
        <translation>„auto“ (R, G und B der ersten Ebene oder der einzige Graukanal) oder die Namen von einem oder drei Kanälen wie left.R,left.G,left.B. Andere Kanäle werden kopiert.</translation>
    </message>
    <message>
        <source>0.2126 R + 0.7152 G + 0.0722 B, correct for sRGB and most files</source>
        <translation>0,2126 R + 0,7152 G + 0,0722 B, richtig für sRGB und die meisten Dateien</translation>
    </message>
    <message>
        <source>0.299 R + 0.587 G + 0.114 B, as in OpenCV</source>
        <translation>0,299 R + 0,587 G + 0,114 B, wie in OpenCV</translation>
    </message>
    <message>
        <source>0: all channels adapt to the luminance. 1: each channel adapts to itself, which removes a colour cast.</source>
        <translation>0: Alle Kanäle passen sich der Leuchtdichte an. 1: Jeder Kanal passt sich an sich selbst an, was einen Farbstich entfernt.</translation>
    </message>
    <message>
        <source>0: each pixel adapts to the mean of the image. 1: each pixel adapts to itself.</source>
        <translation>0: Jedes Pixel passt sich dem Mittelwert des Bildes an. 1: Jedes Pixel passt sich an sich selbst an.</translation>
    </message>
    <message>
        <source>62 taps that approximate the smooth, nearly symmetric Meyer wavelet</source>
        <translation>62 Gewichte, die das glatte, fast symmetrische Meyer-Wavelet annähern</translation>
    </message>
    <message>
        <source>A given threshold</source>
        <translation>Eine vorgegebene Schwelle</translation>
    </message>
    <message>
        <source>Added to every filtered sample, for example to see negative values of a derivative.</source>
        <translation>Wird zu jedem gefilterten Wert addiert, etwa um negative Werte einer Ableitung sichtbar zu machen.</translation>
    </message>
    <message>
        <source>Adds the difference from a Gaussian blur</source>
        <translation>Addiert die Differenz zu einer Gaußschen Glättung</translation>
    </message>
    <message>
        <source>Adds the difference from a box blur</source>
        <translation>Addiert die Differenz zu einer Mittelwertglättung</translation>
    </message>
    <message>
        <source>All smaller ones were set to 0</source>
        <translation>Alle kleineren wurden auf 0 gesetzt</translation>
    </message>
    <message>
        <source>As recorded with the coefficients, else the default of the transform</source>
        <translation>Wie bei den Koeffizienten vermerkt, sonst die Vorgabe der Transformation</translation>
    </message>
    <message>
        <source>Axes of the transform.</source>
        <translation>Achsen der Transformation.</translation>
    </message>
    <message>
        <source>Axes of the transform. Leave out z if slices are much farther apart than pixels.</source>
        <translation>Achsen der Transformation. Ohne z, wenn Schichten viel weiter auseinanderliegen als Pixel.</translation>
    </message>
    <message>
        <source>Border mode of the transform; it determines the number of coefficients.</source>
        <translation>Randmodus der Transformation; er bestimmt die Anzahl der Koeffizienten.</translation>
    </message>
    <message>
        <source>Coloured noise, for example after a blur or a reconstruction: estimated for each level</source>
        <translation>Farbiges Rauschen, etwa nach einer Glättung oder Rekonstruktion: für jede Stufe geschätzt</translation>
    </message>
    <message>
        <source>Column of the kernel that is placed on the pixel, from 0; -1 is the centre, size / 2.</source>
        <translation>Spalte des Kerns, die auf dem Pixel liegt, ab 0; -1 ist die Mitte, Größe / 2.</translation>
    </message>
    <message>
        <source>Copies alpha</source>
        <translation>Kopiert Alpha</translation>
    </message>
    <message>
        <source>Details from which the noise is estimated.</source>
        <translation>Details, aus denen das Rauschen geschätzt wird.</translation>
    </message>
    <message>
        <source>Direction, counter-clockwise from the positive x axis.</source>
        <translation>Richtung, gegen den Uhrzeigersinn von der positiven x-Achse.</translation>
    </message>
    <message>
        <source>Display range</source>
        <translation>Bildschirmumfang</translation>
    </message>
    <message>
        <source>Divide the weights by their sum, which keeps the brightness. Kernels with a sum of zero are left unchanged.</source>
        <translation>Die Gewichte durch ihre Summe teilen, was die Helligkeit erhält. Kerne mit der Summe null bleiben unverändert.</translation>
    </message>
    <message>
        <source>Each slice of a volume separately, for widely spaced slices</source>
        <translation>Jede Schicht eines Volumens einzeln, für Schichten mit großem Abstand</translation>
    </message>
    <message>
        <source>Encoded for a display, as other tools give them; save with --encoding linear</source>
        <translation>Für einen Bildschirm kodiert, wie andere Programme es ausgeben; mit --encoding linear speichern</translation>
    </message>
    <message>
        <source>Encoding of the output samples.</source>
        <translation>Kodierung der Ausgabewerte.</translation>
    </message>
    <message>
        <source>Epsilon in the paper: a surround grows while its contrast stays below this value.</source>
        <translation>Epsilon in der Veröffentlichung: Eine Umgebung wächst, solange ihr Kontrast unter diesem Wert bleibt.</translation>
    </message>
    <message>
        <source>Estimated from the finest details, in units of the samples</source>
        <translation>Aus den feinsten Details geschätzt, in der Einheit der Werte</translation>
    </message>
    <message>
        <source>Exponent m in the paper. 0 derives it from the key of the image, between 0.3 (bright images) and 1 (dark images).</source>
        <translation>Exponent m in der Veröffentlichung. 0 leitet ihn aus der Grundhelligkeit des Bildes ab, zwischen 0,3 (helle Bilder) und 1 (dunkle Bilder).</translation>
    </message>
    <message>
        <source>Factor for the chosen thresholds. 0 leaves the image unchanged.</source>
        <translation>Faktor für die gewählten Schwellen. 0 lässt das Bild unverändert.</translation>
    </message>
    <message>
        <source>Factor for the difference from the blurred image.</source>
        <translation>Faktor für die Differenz zum geglätteten Bild.</translation>
    </message>
    <message>
        <source>Factors for the thresholds, finest level first, separated by blanks; the last one applies to all coarser levels. Empty: 1.</source>
        <translation>Faktoren für die Schwellen, feinste Stufe zuerst, durch Leerzeichen getrennt; der letzte gilt für alle gröberen Stufen. Leer: 1.</translation>
    </message>
    <message>
        <source>Filters alpha like the colours</source>
        <translation>Filtert Alpha wie die Farben</translation>
    </message>
    <message>
        <source>For the window and for saving; both encode for the display automatically</source>
        <translation>Für das Fenster und zum Speichern; beide kodieren automatisch für den Bildschirm</translation>
    </message>
    <message>
        <source>Gamma exponent of the display.</source>
        <translation>Gamma-Exponent des Bildschirms.</translation>
    </message>
    <message>
        <source>Height of the image. 0: as stored, else the even one of the two heights with this number of coefficients.</source>
        <translation>Höhe des Bildes. 0: wie gespeichert, sonst die gerade der beiden Höhen mit dieser Anzahl von Koeffizienten.</translation>
    </message>
    <message>
        <source>How detail coefficients are shrunk. The approximation is kept.</source>
        <translation>Wie Detailkoeffizienten verkleinert werden. Die Näherung bleibt erhalten.</translation>
    </message>
    <message>
        <source>How the threshold is chosen.</source>
        <translation>Wie die Schwelle gewählt wird.</translation>
    </message>
    <message>
        <source>In units of the samples, for all levels; see also the factors by level.</source>
        <translation>In der Einheit der Werte, für alle Stufen; siehe auch die Faktoren je Stufe.</translation>
    </message>
    <message>
        <source>Keeps the largest N % of the wavelet coefficients, sets the rest to 0 and reconstructs; reports the PSNR.</source>
        <translation>Behält die größten N % der Wavelet-Koeffizienten, setzt die übrigen auf 0 und rekonstruiert; gibt das PSNR an.</translation>
    </message>
    <message>
        <source>Largest luminance of all finite pixels.</source>
        <translation>Größte Leuchtdichte aller endlichen Pixel.</translation>
    </message>
    <message>
        <source>Levels of the transform.</source>
        <translation>Stufen der Transformation.</translation>
    </message>
    <message>
        <source>Limit contrast to that of the scene. Off: plain histogram equalisation, which exaggerates contrast in large areas.</source>
        <translation>Den Kontrast auf den der Szene begrenzen. Aus: einfacher Histogrammausgleich, der den Kontrast in großen Flächen übertreibt.</translation>
    </message>
    <message>
        <source>Linear extrapolation of the two outermost samples</source>
        <translation>Lineare Extrapolation der zwei äußersten Werte</translation>
    </message>
    <message>
        <source>Luminance that is mapped to white; brighter pixels burn out. 0 uses the largest luminance of the image.</source>
        <translation>Leuchtdichte, die auf Weiß abgebildet wird; hellere Pixel brennen aus. 0 verwendet die größte Leuchtdichte des Bildes.</translation>
    </message>
    <message>
        <source>Luminance that was mapped to white.</source>
        <translation>Leuchtdichte, die auf Weiß abgebildet wurde.</translation>
    </message>
    <message>
        <source>Maps a high-dynamic-range image to the range of a display by published operators. The result is linear light from black (0) to white (1); brighter values are kept and counted.</source>
        <translation>Bildet ein HDR-Bild mit veröffentlichten Operatoren auf den Umfang eines Bildschirms ab. Das Ergebnis ist lineares Licht von Schwarz (0) bis Weiß (1); hellere Werte bleiben erhalten und werden gezählt.</translation>
    </message>
    <message>
        <source>Means and differences of neighbours; the shortest filter, 2 taps</source>
        <translation>Mittelwerte und Differenzen von Nachbarn; das kürzeste Filter, 2 Gewichte</translation>
    </message>
    <message>
        <source>Noise times sqrt(2 ln n) for n samples, which noise alone hardly ever exceeds</source>
        <translation>Rauschen mal sqrt(2 ln n) für n Werte, was Rauschen allein fast nie überschreitet</translation>
    </message>
    <message>
        <source>Number of bins of the brightness histogram.</source>
        <translation>Anzahl der Klassen des Helligkeitshistogramms.</translation>
    </message>
    <message>
        <source>Number of levels. 0 uses as many as leave coefficients that do not depend on the border, but at least 1.</source>
        <translation>Anzahl der Stufen. 0 verwendet so viele, dass noch vom Rand unabhängige Koeffizienten bleiben, aber mindestens 1.</translation>
    </message>
    <message>
        <source>Number of surround sizes. The cost grows with the largest one, ratio^scales pixels, at most 1024.</source>
        <translation>Anzahl der Umgebungsgrößen. Der Aufwand wächst mit der größten, Verhältnis^Größen Pixel, höchstens 1024.</translation>
    </message>
    <message>
        <source>Orthogonal, 2 n taps, nearly symmetric, so that features stay in place</source>
        <translation>Orthogonal, 2 n Gewichte, fast symmetrisch, sodass Merkmale an ihrem Ort bleiben</translation>
    </message>
    <message>
        <source>Orthogonal, 6 n taps, vanishing moments of the scaling function too: approximations are close to samples</source>
        <translation>Orthogonal, 6 n Gewichte, verschwindende Momente auch der Skalierungsfunktion: Näherungen liegen nahe an den Werten</translation>
    </message>
    <message>
        <source>Output value of the log-average luminance. 0.18 is middle grey; use less for dark scenes, more for bright ones.</source>
        <translation>Ausgabewert des logarithmischen Mittels der Leuchtdichte. 0,18 ist mittleres Grau; für dunkle Szenen weniger, für helle mehr verwenden.</translation>
    </message>
    <message>
        <source>Overall brightness as a power of e: larger is brighter.</source>
        <translation>Gesamthelligkeit als Potenz von e: größer ist heller.</translation>
    </message>
    <message>
        <source>Pair of filters. Longer filters have more vanishing moments: smooth areas need fewer coefficients, but edges spread farther.</source>
        <translation>Filterpaar. Längere Filter haben mehr verschwindende Momente: Glatte Bereiche brauchen weniger Koeffizienten, aber Kanten breiten sich weiter aus.</translation>
    </message>
    <message>
        <source>Per sub-band, from the noise and the spread of its coefficients</source>
        <translation>Je Teilband, aus dem Rauschen und der Streuung seiner Koeffizienten</translation>
    </message>
    <message>
        <source>Phi in the paper. Larger values allow larger surrounds in spite of contrast.</source>
        <translation>Phi in der Veröffentlichung. Größere Werte erlauben trotz Kontrast größere Umgebungen.</translation>
    </message>
    <message>
        <source>Point reflection about the edge sample: 2 a - b</source>
        <translation>Punktspiegelung am äußersten Wert: 2 a - b</translation>
    </message>
    <message>
        <source>Raised to the power of 1 / gamma, as other tools give them; save with --encoding linear</source>
        <translation>Mit 1 / Gamma potenziert, wie andere Programme es ausgeben; mit --encoding linear speichern</translation>
    </message>
    <message>
        <source>Reconstructs an image or a volume from its wavelet coefficients. Parameters and image size are taken from the coefficients&apos; metadata, which EXR, PNG and .raw files keep; otherwise set them here.</source>
        <translation>Rekonstruiert ein Bild oder ein Volumen aus seinen Wavelet-Koeffizienten. Parameter und Bildgröße stammen aus den Metadaten der Koeffizienten, die in EXR-, PNG- und .raw-Dateien erhalten bleiben; andernfalls hier einstellen.</translation>
    </message>
    <message>
        <source>Reinhard and Devlin 2005: the response of adapted photoreceptors, as in OpenCV&apos;s TonemapReinhard</source>
        <translation>Reinhard und Devlin 2005: die Antwort angepasster Fotorezeptoren, wie in TonemapReinhard von OpenCV</translation>
    </message>
    <message>
        <source>Reinhard et al. 2002: dodging and burning; each pixel is compared with the mean of its surround</source>
        <translation>Reinhard u. a. 2002: Abwedeln und Nachbelichten; jedes Pixel wird mit dem Mittelwert seiner Umgebung verglichen</translation>
    </message>
    <message>
        <source>Reinhard et al. 2002: one curve for the whole image, modelled on the zone system of photography</source>
        <translation>Reinhard u. a. 2002: eine Kurve für das ganze Bild, nach dem Vorbild des Zonensystems der Fotografie</translation>
    </message>
    <message>
        <source>Removes noise by shrinking small wavelet coefficients, or setting them to 0, and reconstructing the image.</source>
        <translation>Entfernt Rauschen, indem kleine Wavelet-Koeffizienten verkleinert oder auf 0 gesetzt werden und das Bild rekonstruiert wird.</translation>
    </message>
    <message>
        <source>Repeats the edge sample: aaa|abcd|ddd</source>
        <translation>Wiederholt den äußersten Wert: aaa|abcd|ddd</translation>
    </message>
    <message>
        <source>Rotate the kernel by 180 degrees (convolution). Off: correlation, as in OpenCV and most tools.</source>
        <translation>Den Kern um 180 Grad drehen (Faltung). Aus: Korrelation, wie in OpenCV und den meisten Programmen.</translation>
    </message>
    <message>
        <source>Row of the kernel that is placed on the pixel, from 0; -1 is the centre, size / 2.</source>
        <translation>Zeile des Kerns, die auf dem Pixel liegt, ab 0; -1 ist die Mitte, Größe / 2.</translation>
    </message>
    <message>
        <source>Scale ratio</source>
        <translation>Größenverhältnis</translation>
    </message>
    <message>
        <source>Scaling filter of an orthogonal wavelet, or decLo; recLo, or decLo; decHi; recLo; recHi. Separate numbers by blanks or commas, filters by line breaks or &apos;;&apos;.</source>
        <translation>Skalierungsfilter eines orthogonalen Wavelets oder decLo; recLo oder decLo; decHi; recLo; recHi. Zahlen durch Leerzeichen oder Kommas trennen, Filter durch Zeilenumbrüche oder „;“.</translation>
    </message>
    <message>
        <source>Sets coefficients below the threshold to 0 and keeps all others: sharper edges, more ringing</source>
        <translation>Setzt Koeffizienten unter der Schwelle auf 0 und behält alle anderen: schärfere Kanten, mehr Überschwingen</translation>
    </message>
    <message>
        <source>Sets coefficients up to the threshold to 0 and keeps large ones nearly unchanged: between soft and hard</source>
        <translation>Setzt Koeffizienten bis zur Schwelle auf 0 und lässt große fast unverändert: zwischen weich und hart</translation>
    </message>
    <message>
        <source>Sets coefficients up to the threshold to 0 and moves all others towards 0 by the threshold</source>
        <translation>Setzt Koeffizienten bis zur Schwelle auf 0 und verschiebt alle anderen um die Schwelle in Richtung 0</translation>
    </message>
    <message>
        <source>Share of the coefficients to keep, the largest ones of each channel; all others are set to 0. 100 keeps the image.</source>
        <translation>Anteil der Koeffizienten, die behalten werden, die größten jedes Kanals; alle anderen werden auf 0 gesetzt. 100 erhält das Bild.</translation>
    </message>
    <message>
        <source>Share of the detail coefficients that were set to 0</source>
        <translation>Anteil der Detailkoeffizienten, die auf 0 gesetzt wurden</translation>
    </message>
    <message>
        <source>Share of the histogram counts that the contrast ceiling removed.</source>
        <translation>Anteil der Histogrammzählungen, die die Kontrastgrenze entfernt hat.</translation>
    </message>
    <message>
        <source>Share of the pixels with a channel above 1, which a display clips.</source>
        <translation>Anteil der Pixel mit einem Kanal über 1, die ein Bildschirm kappt.</translation>
    </message>
    <message>
        <source>Size of each surround divided by the next smaller one.</source>
        <translation>Größe jeder Umgebung geteilt durch die nächstkleinere.</translation>
    </message>
    <message>
        <source>Slices of the volume. 0: as stored, else the even one of the two depths with this number of coefficients.</source>
        <translation>Schichten des Volumens. 0: wie gespeichert, sonst die gerade der beiden Tiefen mit dieser Anzahl von Koeffizienten.</translation>
    </message>
    <message>
        <source>Splits an image or a volume into low and high frequencies along each axis, at half the resolution, and repeats this for the approximation of each level. The result is a mosaic of all sub-bands with the approximation in the corner.</source>
        <translation>Zerlegt ein Bild oder ein Volumen entlang jeder Achse in tiefe und hohe Frequenzen bei halber Auflösung und wiederholt dies für die Näherung jeder Stufe. Das Ergebnis ist ein Mosaik aller Teilbänder mit der Näherung in der Ecke.</translation>
    </message>
    <message>
        <source>The border value: vvv|abcd|vvv</source>
        <translation>Der eingestellte Randwert: vvv|abcd|vvv</translation>
    </message>
    <message>
        <source>The image to produce.</source>
        <translation>Das zu erzeugende Bild.</translation>
    </message>
    <message>
        <source>The photoreceptor model with the defaults and luminance of OpenCV&apos;s TonemapReinhard.</source>
        <translation>Das Fotorezeptor-Modell mit den Vorgaben und der Leuchtdichte von TonemapReinhard in OpenCV.</translation>
    </message>
    <message>
        <source>The surround chosen for each pixel, from 0 (smallest) to 1 (largest)</source>
        <translation>Die für jedes Pixel gewählte Umgebung, von 0 (kleinste) bis 1 (größte)</translation>
    </message>
    <message>
        <source>The tone mapping operator.</source>
        <translation>Der Operator der Tonwertabbildung.</translation>
    </message>
    <message>
        <source>The weights in the paper on the operator</source>
        <translation>Die Gewichte aus der Veröffentlichung zum Operator</translation>
    </message>
    <message>
        <source>Threshold of this level; for BayesShrink the mean over its sub-bands</source>
        <translation>Schwelle dieser Stufe; bei BayesShrink der Mittelwert über ihre Teilbänder</translation>
    </message>
    <message>
        <source>Treatment of the alpha channel. Colours are premultiplied internally, so filtering both is right for blurs.</source>
        <translation>Behandlung des Alphakanals. Farben werden intern mit Alpha vormultipliziert, daher ist für Glättungen richtig, beide zu filtern.</translation>
    </message>
    <message>
        <source>Treats the result as sRGB and converts it to linear light, as pfstools does for the photoreceptor model; less pale</source>
        <translation>Behandelt das Ergebnis als sRGB und wandelt es in lineares Licht um, wie pfstools beim Fotorezeptor-Modell; weniger blass</translation>
    </message>
    <message>
        <source>Value of samples outside of the image.</source>
        <translation>Wert außerhalb des Bildes.</translation>
    </message>
    <message>
        <source>Values in the papers: key 0.18, phi 8, epsilon 0.05, 8 scales from 1 pixel; m from the image, no chromatic and full light adaptation; 100 bins for a display range of 100.</source>
        <translation>Werte in den Veröffentlichungen: Grundhelligkeit 0,18, phi 8, epsilon 0,05, 8 Größen ab 1 Pixel; m aus dem Bild, keine Farb- und volle Lichtanpassung; 100 Klassen für einen Bildschirmumfang von 100.</translation>
    </message>
    <message>
        <source>Values of samples outside of the image, named as in PyWavelets. All modes but periodization give some extra coefficients.</source>
        <translation>Werte außerhalb des Bildes, benannt wie in PyWavelets. Alle Modi außer Periodisierung ergeben einige zusätzliche Koeffizienten.</translation>
    </message>
    <message>
        <source>Values of samples outside of the image.</source>
        <translation>Werte außerhalb des Bildes.</translation>
    </message>
    <message>
        <source>Ward Larson et al. 1997: gives most of the display range to the most frequent brightness levels</source>
        <translation>Ward Larson u. a. 1997: gibt den häufigsten Helligkeitsstufen den größten Teil des Bildschirmumfangs</translation>
    </message>
    <message>
        <source>Wavelet of the transform. A wavelet that contradicts the coefficients is an error.</source>
        <translation>Wavelet der Transformation. Ein Wavelet, das den Koeffizienten widerspricht, ist ein Fehler.</translation>
    </message>
    <message>
        <source>Weights of the channels in the luminance. Grey images need none.</source>
        <translation>Gewichte der Kanäle in der Leuchtdichte. Graubilder brauchen keine.</translation>
    </message>
    <message>
        <source>Weights of the window. All kernels but &apos;custom&apos; are generated for the given size.</source>
        <translation>Gewichte des Fensters. Alle Kerne außer „custom“ (Eigene) werden für die gegebene Größe erzeugt.</translation>
    </message>
    <message>
        <source>White luminance of the display divided by its black luminance.</source>
        <translation>Weiß-Leuchtdichte des Bildschirms geteilt durch seine Schwarz-Leuchtdichte.</translation>
    </message>
    <message>
        <source>White noise, the same in every level</source>
        <translation>Weißes Rauschen, gleich in jeder Stufe</translation>
    </message>
    <message>
        <source>Width of the image. 0: as stored, else the even one of the two widths with this number of coefficients.</source>
        <translation>Breite des Bildes. 0: wie gespeichert, sonst die gerade der beiden Breiten mit dieser Anzahl von Koeffizienten.</translation>
    </message>
    <message>
        <source>Your own filters</source>
        <translation>Eigene Filter</translation>
    </message>
    <message>
        <source>Your own weights</source>
        <translation>Eigene Gewichte</translation>
    </message>
    <message>
        <source>exp(mean(log(delta + luminance))), which is mapped to the key.</source>
        <translation>exp(mean(log(delta + Leuchtdichte))), auf die Grundhelligkeit abgebildet.</translation>
    </message>
    <message>
        <source>Details of 0, left out of the noise</source>
        <translation>Details von 0, beim Rauschen ausgelassen</translation>
    </message>
    <message>
        <source>Share of the diagonal details that are 0, as outside of a mask; noise is estimated from the others</source>
        <translation>Anteil der diagonalen Details, die 0 sind, wie außerhalb einer Maske; das Rauschen wird aus den übrigen geschätzt</translation>
    </message>
    <message>
        <source>Standard deviation of the noise, in units of the samples. 0 estimates it from the median of the finest diagonal details that are not 0.</source>
        <translation>Standardabweichung des Rauschens in der Einheit der Werte. 0 schätzt sie aus dem Median der feinsten diagonalen Details, die nicht 0 sind.</translation>
    </message>
    <message>
        <source>Clipped</source>
        <translation>Übersteuert</translation>
    </message>
    <message>
        <source>Published defaults</source>
        <translation>Veröffentlichte Vorgaben</translation>
    </message>
    <message>
        <source>As pfstools, photoreceptor</source>
        <translation>Wie pfstools, Fotorezeptor</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Defaults of pfstmo_reinhard02 (phi 1, delta 1e-5) and pfstmo_reinhard05 (chromatic 0.5, light 0.75, samples not scaled; add encoding=decode, or take pfstools05). The scales of its local operator are not those of the paper, which are used here.</source>
        <translation>Voreinstellungen von pfstmo_reinhard02 (phi 1, delta 1e-5) und pfstmo_reinhard05 (chromatic 0,5, light 0,75, Werte nicht skaliert; mit encoding=decode, oder pfstools05). Die Skalen seines lokalen Operators sind nicht die des Artikels, die hier gelten.</translation>
    </message>
    <message>
        <source>Factor for all weights, applied after normalising. &apos;unit&apos; makes the response of a derivative 1: to a ramp that rises by 1 a pixel (Sobel 8, 128, 1.6 for sizes 3, 5, 7 without it; Scharr 32; Prewitt 6, 50, 196), or of a second derivative to x^2 / 2 (Laplacian 1 for size 3, about size^2 / 24 for larger ones).</source>
        <translation>Faktor für alle Gewichte, nach dem Normieren angewandt. „Einheit“ macht die Antwort einer Ableitung zu 1: auf eine Rampe, die je Bildpunkt um 1 steigt (ohne sie Sobel 8, 128, 1,6 bei den Größen 3, 5, 7; Scharr 32; Prewitt 6, 50, 196), oder die einer zweiten Ableitung auf x^2 / 2 (Laplace 1 bei Größe 3, etwa Größe^2 / 24 bei größeren).</translation>
    </message>
    <message>
        <source>Generated kernels yes, your own weights no</source>
        <translation>Erzeugte Kerne ja, eigene Gewichte nein</translation>
    </message>
    <message>
        <source>Mean along a line of the given size and angle. An even size lies between two rows and spreads over both</source>
        <translation>Mittel entlang einer Linie der gegebenen Größe und Richtung. Eine gerade Größe liegt zwischen zwei Zeilen und verteilt sich auf beide</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>Relief, lit from the given angle: rims that face it brighten</source>
        <translation>Relief, aus dem gegebenen Winkel beleuchtet: ihm zugewandte Ränder werden heller</translation>
    </message>
    <message>
        <source>Samples as they are, as in the paper and in pfstools</source>
        <translation>Werte, wie sie sind, wie im Artikel und in pfstools</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Scaling of the samples before the model. It changes the contrast that the model takes from the image.</source>
        <translation>Skalierung der Werte vor dem Modell. Sie ändert den Kontrast, den das Modell dem Bild entnimmt.</translation>
    </message>
    <message>
        <source>Second derivative of a blurred image. A window below 8 sigma, as with sigma from the size, cuts the kernel off</source>
        <translation>Zweite Ableitung eines geglätteten Bildes. Ein Fenster unter 8 Sigma, wie bei Sigma aus der Größe, schneidet den Kern ab</translation>
    </message>
    <message>
        <source>Second derivative; responds to edges and spots. From size 5 on the mean around the pixel minus the pixel</source>
        <translation>Zweite Ableitung; spricht auf Kanten und Flecken an. Ab Größe 5 das Mittel um den Bildpunkt weniger der Bildpunkt</translation>
    </message>
    <message>
        <source>Smallest sample to 0, largest to 1, as OpenCV&apos;s TonemapReinhard does</source>
        <translation>Kleinster Wert auf 0, größter auf 1, wie es TonemapReinhard von OpenCV tut</translation>
    </message>
    <message>
        <source>The output of pfstmo_reinhard05 with its defaults: it takes its results for sRGB and decodes them.</source>
        <translation>Die Ausgabe von pfstmo_reinhard05 mit seinen Voreinstellungen: Es hält seine Ergebnisse für sRGB und dekodiert sie.</translation>
    </message>
    <message>
        <source>The sum of the weights becomes 1</source>
        <translation>Die Summe der Gewichte wird 1</translation>
    </message>
    <message>
        <source>To [0, 1]</source>
        <translation>Auf [0, 1]</translation>
    </message>
    <message>
        <source>Weights stay as they are</source>
        <translation>Gewichte bleiben, wie sie sind</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>1 / (1 + (s / K)^2): favours wide regions</source>
        <translation>1 / (1 + (s / K)^2): bevorzugt große Gebiete</translation>
    </message>
    <message>
        <source>Added to the gradient&apos;s power; limits the weight in flat areas.</source>
        <translation>Wird zur Potenz des Gradienten addiert; begrenzt das Gewicht in ebenen Bereichen.</translation>
    </message>
    <message>
        <source>Added to the luminance before its logarithm is taken. Differences below this level are no edges.</source>
        <translation>Wird zur Leuchtdichte addiert, bevor sie logarithmiert wird. Unterschiede unterhalb dieses Werts sind keine Kanten.</translation>
    </message>
    <message>
        <source>As close as double precision allows for most sizes.</source>
        <translation>So genau, wie es doppelte Genauigkeit bei den meisten Größen zulässt.</translation>
    </message>
    <message>
        <source>Base layer</source>
        <translation>Basisebene</translation>
    </message>
    <message>
        <source>Black level</source>
        <translation>Schwarzwert</translation>
    </message>
    <message>
        <source>Blur like a Gaussian of 2 pixels.</source>
        <translation>Weichzeichner wie eine Gauß-Glocke von 2 Pixeln.</translation>
    </message>
    <message>
        <source>Conductivity</source>
        <translation>Leitfähigkeit</translation>
    </message>
    <message>
        <source>Difference K of neighbours at which the flow has fallen to a half (exponential: to 37 %), per pixel, or per mm in volumes with a known spacing. Of several channels the root mean square counts.</source>
        <translation>Differenz K zweier Nachbarn, bei der der Fluss auf die Hälfte gefallen ist (exponentiell: auf 37 %), je Pixel oder je mm in Volumen mit bekanntem Abstand. Bei mehreren Kanälen zählt das quadratische Mittel.</translation>
    </message>
    <message>
        <source>Diffusion</source>
        <translation>Diffusion</translation>
    </message>
    <message>
        <source>Diffusion time t; mm^2 in volumes with a known spacing.</source>
        <translation>Diffusionszeit t; mm^2 in Volumen mit bekanntem Abstand.</translation>
    </message>
    <message>
        <source>Dirichlet</source>
        <translation>Dirichlet</translation>
    </message>
    <message>
        <source>Edges</source>
        <translation>Kanten</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Exponent of the gradient: larger values keep edges sharper. 1.2 to 1.8 are usual.</source>
        <translation>Exponent des Gradienten: größere Werte halten Kanten schärfer. Üblich sind 1,2 bis 1,8.</translation>
    </message>
    <message>
        <source>Exponential</source>
        <translation>Exponentiell</translation>
    </message>
    <message>
        <source>Factor c &gt;= 0 of the term c u: limits the distance at which samples influence each other to about 1 / sqrt(c) pixels, or mm in volumes with a known spacing. 0: the Poisson equation.</source>
        <translation>Faktor c &gt;= 0 des Terms c u: begrenzt den Abstand, über den Werte einander beeinflussen, auf etwa 1 / sqrt(c) Pixel, oder mm in Volumen mit bekanntem Abstand. 0: die Poisson-Gleichung.</translation>
    </message>
    <message>
        <source>Few iterations: an error of some percent.</source>
        <translation>Wenige Iterationen: ein Fehler von einigen Prozent.</translation>
    </message>
    <message>
        <source>Fine details</source>
        <translation>Feine Details</translation>
    </message>
    <message>
        <source>Flat regions</source>
        <translation>Ebene Gebiete</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Führungsbild</translation>
    </message>
    <message>
        <source>Heat flow</source>
        <translation>Wärmefluss</translation>
    </message>
    <message>
        <source>Heat flow: a blur of standard deviation sqrt(2 t), up to the single implicit step</source>
        <translation>Wärmefluss: ein Weichzeichner der Standardabweichung sqrt(2 t), bis auf den einzelnen impliziten Schritt</translation>
    </message>
    <message>
        <source>How strongly neighbours are coupled.</source>
        <translation>Wie stark Nachbarn gekoppelt sind.</translation>
    </message>
    <message>
        <source>How the flow between neighbours falls with their difference s.</source>
        <translation>Wie der Fluss zwischen Nachbarn mit ihrer Differenz s abnimmt.</translation>
    </message>
    <message>
        <source>Implicit steps of time / steps each. Weights are computed again in each of them.</source>
        <translation>Implizite Schritte von je Zeit / Schritte. Die Gewichte werden in jedem neu berechnet.</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>Iterationen</translation>
    </message>
    <message>
        <source>Iterations of the solver, all solves together.</source>
        <translation>Iterationen des Lösers, alle Lösungen zusammen.</translation>
    </message>
    <message>
        <source>Keeps edges and large shapes: the base of a base and detail decomposition.</source>
        <translation>Erhält Kanten und große Formen: die Basis einer Zerlegung in Basis und Details.</translation>
    </message>
    <message>
        <source>Lambda</source>
        <translation>Lambda</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Local</source>
        <translation>Lokal</translation>
    </message>
    <message>
        <source>Logarithm</source>
        <translation>Logarithmus</translation>
    </message>
    <message>
        <source>Mean of the right-hand side that no solution can have with Neumann borders.</source>
        <translation>Mittelwert der rechten Seite, den mit Neumann-Rändern keine Lösung haben kann.</translation>
    </message>
    <message>
        <source>Most iterations</source>
        <translation>Höchstzahl der Iterationen</translation>
    </message>
    <message>
        <source>Neumann</source>
        <translation>Neumann</translation>
    </message>
    <message>
        <source>No flow through the border. Without screening the input must have the mean 0; the result has it</source>
        <translation>Kein Fluss durch den Rand. Ohne Abschirmung muss die Eingabe den Mittelwert 0 haben; das Ergebnis hat ihn</translation>
    </message>
    <message>
        <source>Of the luminance: equal ratios are equal edges, as the eye sees light</source>
        <translation>Der Leuchtdichte: gleiche Verhältnisse sind gleiche Kanten, wie das Auge Licht sieht</translation>
    </message>
    <message>
        <source>Perona-Malik</source>
        <translation>Perona-Malik</translation>
    </message>
    <message>
        <source>Poisson equation</source>
        <translation>Poisson-Gleichung</translation>
    </message>
    <message>
        <source>Precise</source>
        <translation>Genau</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Rational</source>
        <translation>Rational</translation>
    </message>
    <message>
        <source>Regions become nearly flat.</source>
        <translation>Gebiete werden nahezu eben.</translation>
    </message>
    <message>
        <source>Removed mean</source>
        <translation>Abgezogener Mittelwert</translation>
    </message>
    <message>
        <source>Removes the finest details and noise.</source>
        <translation>Entfernt die feinsten Details und Rauschen.</translation>
    </message>
    <message>
        <source>Screened: samples influence each other over about 10 pixels.</source>
        <translation>Abgeschirmt: Werte beeinflussen einander über etwa 10 Pixel.</translation>
    </message>
    <message>
        <source>Screening</source>
        <translation>Abschirmung</translation>
    </message>
    <message>
        <source>Several steps of heat flow that stops at edges (Perona and Malik 1990)</source>
        <translation>Mehrere Schritte eines Wärmeflusses, der an Kanten endet (Perona und Malik 1990)</translation>
    </message>
    <message>
        <source>Smooths by solving (I + t L) u = f, where L couples neighbours: evenly, or less across edges, so that these stay sharp. No value exceeds those of the input. Volumes are smoothed in three dimensions, with their spacing. Pixels with a channel that is not finite stay as they are and influence none.</source>
        <translation>Glättet durch Lösen von (I + t L) u = f, wobei L Nachbarn koppelt: gleichmäßig, oder über Kanten hinweg weniger, sodass diese scharf bleiben. Kein Wert überschreitet die der Eingabe. Volumen werden in drei Dimensionen geglättet, mit ihrem Abstand. Pixel mit einem nicht endlichen Kanal bleiben, wie sie sind, und beeinflussen keine anderen.</translation>
    </message>
    <message>
        <source>Solves L u = f for the image f, where L is the negative Laplacian (each sample minus its neighbours): the inverse of a second derivative. Volumes are solved in three dimensions, with their spacing. Samples that are not finite count as 0 and are copied.</source>
        <translation>Löst L u = f für das Bild f, wobei L der negative Laplace-Operator ist (jeder Wert minus seine Nachbarn): die Umkehrung einer zweiten Ableitung. Volumen werden in drei Dimensionen gelöst, mit ihrem Abstand. Nicht endliche Werte zählen als 0 und werden kopiert.</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>The classical equation, in five steps.</source>
        <translation>Die klassische Gleichung, in fünf Schritten.</translation>
    </message>
    <message>
        <source>The image whose gradients are the edges. The luminance is that of R, G and B (Rec. 709), or else the mean of the channels.</source>
        <translation>Das Bild, dessen Gradienten die Kanten sind. Die Leuchtdichte ist die von R, G und B (Rec. 709), sonst der Mittelwert der Kanäle.</translation>
    </message>
    <message>
        <source>The luminance as it is, for data that are no light</source>
        <translation>Die Leuchtdichte, wie sie ist, für Daten, die kein Licht sind</translation>
    </message>
    <message>
        <source>The solution is 0 just outside of the image</source>
        <translation>Die Lösung ist unmittelbar außerhalb des Bildes 0</translation>
    </message>
    <message>
        <source>The solver stops after this many iterations, with a warning if the tolerance was not reached. The reference has no limit.</source>
        <translation>Der Löser endet nach so vielen Iterationen, mit einer Warnung, wenn die Toleranz nicht erreicht wurde. Die Referenz hat keine Grenze.</translation>
    </message>
    <message>
        <source>The solver stops when the norm of f - A u is below this share of the norm of f. The reference goes to 1e-12.</source>
        <translation>Der Löser endet, wenn die Norm von f - A u unter diesem Anteil der Norm von f liegt. Die Referenz geht bis 1e-12.</translation>
    </message>
    <message>
        <source>The solver stops when the norm of f - L u is below this share of the norm of f. The reference goes to 1e-12.</source>
        <translation>Der Löser endet, wenn die Norm von f - L u unter diesem Anteil der Norm von f liegt. Die Referenz geht bis 1e-12.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>Toleranz</translation>
    </message>
    <message>
        <source>True relative residual</source>
        <translation>Wahres relatives Residuum</translation>
    </message>
    <message>
        <source>Uniform</source>
        <translation>Gleichmäßig</translation>
    </message>
    <message>
        <source>Weight of smoothness against fidelity: larger values smooth more.</source>
        <translation>Gewicht der Glattheit gegenüber der Treue: größere Werte glätten mehr.</translation>
    </message>
    <message>
        <source>Weighted least squares: smooths within edges and keeps them (Farbman et al. 2008)</source>
        <translation>Gewichtete kleinste Quadrate: glättet zwischen Kanten und erhält sie (Farbman et al. 2008)</translation>
    </message>
    <message>
        <source>What holds at the border of the image.</source>
        <translation>Was am Rand des Bildes gilt.</translation>
    </message>
    <message>
        <source>exp(-(s / K)^2): favours edges of high contrast</source>
        <translation>exp(-(s / K)^2): bevorzugt Kanten mit hohem Kontrast</translation>
    </message>
    <message>
        <source>|f - A u| / |f| in double precision, computed after the last iteration.</source>
        <translation>|f - A u| / |f| in doppelter Genauigkeit, nach der letzten Iteration berechnet.</translation>
    </message>
    <message>
        <source>3 x 3</source>
        <translation>3 x 3</translation>
    </message>
    <message>
        <source>5 x 5</source>
        <translation>5 x 5</translation>
    </message>
    <message>
        <source>A sample is a firefly if it exceeds this factor times the sum of the median of its window and the black level.</source>
        <translation>Ein Wert ist ein Firefly, wenn er diesen Faktor mal der Summe aus dem Median seines Fensters und dem Schwarzwert überschreitet.</translation>
    </message>
    <message>
        <source>Added to the median, so that noise in dark areas is not taken for fireflies.</source>
        <translation>Wird zum Median addiert, damit Rauschen in dunklen Bereichen nicht als Firefly gilt.</translation>
    </message>
    <message>
        <source>All chosen channels of pixels with an alpha of 0, alpha among them; NaN too</source>
        <translation>Alle gewählten Kanäle von Pixeln mit einem Alpha von 0, auch Alpha selbst; auch NaN</translation>
    </message>
    <message>
        <source>At or above a threshold</source>
        <translation>Ab einer Schwelle</translation>
    </message>
    <message>
        <source>At or below a threshold</source>
        <translation>Bis zu einer Schwelle</translation>
    </message>
    <message>
        <source>Clipped highlights; NaN too</source>
        <translation>Begrenzte Lichter; auch NaN</translation>
    </message>
    <message>
        <source>Clipped shadows and values that mean &apos;no data&apos;; NaN too</source>
        <translation>Begrenzte Schatten und Werte, die „keine Daten“ bedeuten; auch NaN</translation>
    </message>
    <message>
        <source>Every sample that is not a finite number</source>
        <translation>Jeder Wert, der keine endliche Zahl ist</translation>
    </message>
    <message>
        <source>Every sample that is not a finite number.</source>
        <translation>Jeder Wert, der keine endliche Zahl ist.</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>Fill missing samples</source>
        <translation>Fehlende Werte füllen</translation>
    </message>
    <message>
        <source>Filled samples</source>
        <translation>Gefüllte Werte</translation>
    </message>
    <message>
        <source>Fireflies</source>
        <translation>Fireflies</translation>
    </message>
    <message>
        <source>For groups of up to about ten pixels</source>
        <translation>Für Gruppen von bis zu etwa zehn Pixeln</translation>
    </message>
    <message>
        <source>For single pixels</source>
        <translation>Für einzelne Pixel</translation>
    </message>
    <message>
        <source>Infinite samples keep their values and influence none</source>
        <translation>Unendliche Werte bleiben und beeinflussen keine anderen</translation>
    </message>
    <message>
        <source>Missing samples</source>
        <translation>Fehlende Werte</translation>
    </message>
    <message>
        <source>Missing samples that keep their values, since their channel has no known sample.</source>
        <translation>Fehlende Werte, die bleiben, da ihr Kanal keinen bekannten Wert hat.</translation>
    </message>
    <message>
        <source>Missing samples that were replaced, in all channels.</source>
        <translation>Fehlende Werte, die ersetzt wurden, in allen Kanälen.</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>NaN and infinite</source>
        <translation>NaN und unendlich</translation>
    </message>
    <message>
        <source>Pixels of which the median is taken, in the same slice and channel.</source>
        <translation>Pixel, aus denen der Median gebildet wird, in derselben Schicht und demselben Kanal.</translation>
    </message>
    <message>
        <source>Pixels with an alpha of 0 become as opaque as their surroundings.</source>
        <translation>Pixel mit einem Alpha von 0 werden so deckend wie ihre Umgebung.</translation>
    </message>
    <message>
        <source>Samples at or above 1, the white of integer formats.</source>
        <translation>Werte ab 1, dem Weiß ganzzahliger Formate.</translation>
    </message>
    <message>
        <source>Samples at or below 0.</source>
        <translation>Werte bis 0.</translation>
    </message>
    <message>
        <source>Samples far above the median of their surroundings; NaN and infinite ones too</source>
        <translation>Werte weit über dem Median ihrer Umgebung; auch NaN und unendliche</translation>
    </message>
    <message>
        <source>Samples with this value are missing too.</source>
        <translation>Werte, die ihr gleichen, fehlen ebenfalls.</translation>
    </message>
    <message>
        <source>Single bright pixels of renderings, NaN and infinite samples.</source>
        <translation>Einzelne helle Pixel gerenderter Bilder, NaN und unendliche Werte.</translation>
    </message>
    <message>
        <source>The samples that are replaced. Each channel has its own, except for transparent pixels.</source>
        <translation>Die Werte, die ersetzt werden. Jeder Kanal hat seine eigenen, außer bei durchsichtigen Pixeln.</translation>
    </message>
    <message>
        <source>The solver stops when the norm of the residual is below this share of what known neighbours contribute. The reference goes to 1e-12.</source>
        <translation>Der Löser hält an, wenn die Norm des Residuums unter diesem Anteil dessen liegt, was bekannte Nachbarn beitragen. Die Referenz geht bis 1e-12.</translation>
    </message>
    <message>
        <source>Transparent pixels</source>
        <translation>Durchsichtige Pixel</translation>
    </message>
    <message>
        <source>Unfilled samples</source>
        <translation>Nicht gefüllte Werte</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Added to each luminance before taking the logarithm, so that black pixels do not dominate the average. Gradient domain: also a share of the average, below which pixels fade to black.</source>
        <translation>Wird vor dem Logarithmieren zu jeder Leuchtdichte addiert, damit schwarze Pixel den Mittelwert nicht dominieren. Gradientenbereich: auch ein Anteil des Mittelwerts, unterhalb dessen Pixel nach Schwarz übergehen.</translation>
    </message>
    <message>
        <source>Alpha in the paper: gradients of this share of the mean magnitude keep their size, larger ones are weakened. Smaller values give a flatter image.</source>
        <translation>Alpha in der Veröffentlichung: Gradienten von diesem Anteil des mittleren Betrags behalten ihre Größe, größere werden abgeschwächt. Kleinere Werte ergeben ein flacheres Bild.</translation>
    </message>
    <message>
        <source>Beta</source>
        <translation>Beta</translation>
    </message>
    <message>
        <source>Beta in the paper: exponent of the gradient magnitude on each level. 1 keeps all gradients; the paper uses 0.8 to 0.9.</source>
        <translation>Beta in der Veröffentlichung: Exponent des Gradientenbetrags auf jeder Stufe. 1 erhält alle Gradienten; die Veröffentlichung verwendet 0,8 bis 0,9.</translation>
    </message>
    <message>
        <source>Clipped highlights</source>
        <translation>Gekappte Lichter</translation>
    </message>
    <message>
        <source>Clipped shadows</source>
        <translation>Gekappte Schatten</translation>
    </message>
    <message>
        <source>Fattal et al. 2002: weakens large gradients of the logarithm, keeps small ones, and integrates the result</source>
        <translation>Fattal u. a. 2002: schwächt große Gradienten des Logarithmus ab, erhält kleine und integriert das Ergebnis</translation>
    </message>
    <message>
        <source>Gradient domain</source>
        <translation>Gradientenbereich</translation>
    </message>
    <message>
        <source>Levels of the Gaussian pyramid. Fewer levels leave contrast between large areas. 0 ends at a smaller side below 64 pixels.</source>
        <translation>Stufen der Gauß-Pyramide. Weniger Stufen lassen den Kontrast zwischen großen Flächen bestehen. 0 endet, wenn die kürzere Seite unter 64 Pixeln liegt.</translation>
    </message>
    <message>
        <source>Noise level</source>
        <translation>Rauschpegel</translation>
    </message>
    <message>
        <source>Output luminance of grey pixels. For the local operator: of pixels as bright as their surround; pixels brighter than their surround lie above the curve. The gradient operator has no curve.</source>
        <translation>Ausgabe-Leuchtdichte grauer Pixel. Beim lokalen Operator: von Pixeln, die so hell sind wie ihre Umgebung; Pixel, die heller sind als ihre Umgebung, liegen über der Kurve. Der Gradientenoperator hat keine Kurve.</translation>
    </message>
    <message>
        <source>Published defaults, gradient domain</source>
        <translation>Veröffentlichte Standardwerte, Gradientenbereich</translation>
    </message>
    <message>
        <source>Scales the distance of each colour from grey and keeps the luminance: 0 gives grey, 1 keeps the channel ratios. Gradient domain: exponent of the channel ratios; the paper uses 0.4 to 0.6.</source>
        <translation>Skaliert den Abstand jeder Farbe von Grau und erhält die Leuchtdichte: 0 ergibt Grau, 1 erhält die Verhältnisse der Kanäle. Gradientenbereich: Exponent dieser Verhältnisse; die Veröffentlichung verwendet 0,4 bis 0,6.</translation>
    </message>
    <message>
        <source>Share of the mean gradient magnitude that counts as noise. Larger values amplify noise in smooth areas less.</source>
        <translation>Anteil des mittleren Gradientenbetrags, der als Rauschen gilt. Größere Werte verstärken Rauschen in glatten Flächen weniger.</translation>
    </message>
    <message>
        <source>Share of the pixels whose luminance becomes black. 0: the darkest pixel is black.</source>
        <translation>Anteil der Pixel, deren Leuchtdichte schwarz wird. 0: das dunkelste Pixel ist schwarz.</translation>
    </message>
    <message>
        <source>Share of the pixels whose luminance becomes white or brighter. 0: the brightest pixel is white.</source>
        <translation>Anteil der Pixel, deren Leuchtdichte weiß oder heller wird. 0: das hellste Pixel ist weiß.</translation>
    </message>
    <message>
        <source>The gradient operator with values in the paper: alpha 0.1, beta 0.85, saturation 0.5. The result is flat in linear light; a beta of 0.9 keeps more contrast.</source>
        <translation>Der Gradientenoperator mit Werten der Veröffentlichung: Alpha 0,1, Beta 0,85, Sättigung 0,5. Das Ergebnis ist in linearem Licht flach; ein Beta von 0,9 ergibt mehr Kontrast.</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>Convergence</source>
        <translation>Konvergenz</translation>
    </message>
    <message>
        <source>Convergence over time</source>
        <translation>Konvergenz über die Zeit</translation>
    </message>
    <message>
        <source>Cosine or sine transforms along the other axes.</source>
        <translation>Kosinus- oder Sinustransformationen entlang der anderen Achsen.</translation>
    </message>
    <message>
        <source>Cosine or sine transforms along x, and the division by the eigenvalues.</source>
        <translation>Kosinus- oder Sinustransformationen entlang x und die Division durch die Eigenwerte.</translation>
    </message>
    <message>
        <source>Direction and stencil</source>
        <translation>Richtung und Stencil</translation>
    </message>
    <message>
        <source>Inner product</source>
        <translation>Skalarprodukt</translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation>Iteration</translation>
    </message>
    <message>
        <source>Relative residual</source>
        <translation>Relatives Residuum</translation>
    </message>
    <message>
        <source>Residual after each iteration: |f - A u| / |f|, of the channel where it is largest.</source>
        <translation>Residuum nach jeder Iteration: |f - A u| / |f|, des Kanals, in dem es am größten ist.</translation>
    </message>
    <message>
        <source>Set-up</source>
        <translation>Vorbereitung</translation>
    </message>
    <message>
        <source>Transforms of columns</source>
        <translation>Transformationen der Spalten</translation>
    </message>
    <message>
        <source>Transforms of rows</source>
        <translation>Transformationen der Zeilen</translation>
    </message>
    <message>
        <source>True residual</source>
        <translation>Wahres Residuum</translation>
    </message>
    <message>
        <source>Updates and residual</source>
        <translation>Aktualisierungen und Residuum</translation>
    </message>
    <message>
        <source>V-cycle</source>
        <translation>V-Zyklus</translation>
    </message>
    <message>
        <source>p = z + beta p, A p and p.Ap in one pass over memory.</source>
        <translation>p = z + beta p, A p und p.Ap in einem Durchgang durch den Speicher.</translation>
    </message>
    <message>
        <source>r.z of the preconditioned residual.</source>
        <translation>r.z des vorkonditionierten Residuums.</translation>
    </message>
    <message>
        <source>u += alpha p, r -= alpha A p and r.r in one pass over memory.</source>
        <translation>u += alpha p, r -= alpha A p und r.r in einem Durchgang durch den Speicher.</translation>
    </message>
    <message>
        <source>Division</source>
        <translation>Division</translation>
    </message>
    <message>
        <source>Dot products</source>
        <translation>Skalarprodukte</translation>
    </message>
    <message>
        <source>Fourier transforms</source>
        <translation>Fourier-Transformationen</translation>
    </message>
    <message>
        <source>Matrix product</source>
        <translation>Matrixprodukt</translation>
    </message>
    <message>
        <source>Reordering</source>
        <translation>Umordnung</translation>
    </message>
    <message>
        <source>Vector updates</source>
        <translation>Vektoraktualisierungen</translation>
    </message>
    <message>
        <source>f - A u after the last iteration, and the mean of singular systems; on a GPU also iterations that were enqueued ahead.</source>
        <translation>f - A u nach der letzten Iteration und der Mittelwert singulärer Systeme; auf einer GPU auch Iterationen, die im Voraus eingereiht wurden.</translation>
    </message>
    <message>
        <source>A p in a pass of its own.</source>
        <translation>A p in einem eigenen Durchgang.</translation>
    </message>
    <message>
        <source>Copies of the samples into and out of the order that the Fourier transforms need.</source>
        <translation>Kopien der Werte in die Reihenfolge, die die Fourier-Transformationen brauchen, und zurück.</translation>
    </message>
    <message>
        <source>Division of the coefficients by the eigenvalues of A.</source>
        <translation>Division der Koeffizienten durch die Eigenwerte von A.</translation>
    </message>
    <message>
        <source>Norms, the first residual, the stored matrix, the hierarchy of multigrid; on a GPU everything before the first iteration.</source>
        <translation>Normen, das erste Residuum, die gespeicherte Matrix, die Hierarchie des Mehrgitterverfahrens; auf einer GPU alles vor der ersten Iteration.</translation>
    </message>
    <message>
        <source>Smoothing, residuals and transfers of one level of multigrid; level 0 is the image itself, and with constant weights has r.z too. On a GPU the last level includes all coarser ones.</source>
        <translation>Glättung, Residuen und Übergänge einer Ebene des Mehrgitterverfahrens; Ebene 0 ist das Bild selbst und enthält bei konstanten Gewichten auch r.z. Auf einer GPU umfasst die letzte Ebene alle gröberen.</translation>
    </message>
    <message>
        <source>The forward and the inverse transform of the image by a library.</source>
        <translation>Transformation und Rücktransformation des Bildes durch eine Bibliothek.</translation>
    </message>
    <message>
        <source>p = r + beta p, u += alpha p and r -= alpha A p in passes of their own.</source>
        <translation>p = r + beta p, u += alpha p und r -= alpha A p in eigenen Durchgängen.</translation>
    </message>
    <message>
        <source>p.Ap and r.r in passes of their own, with the scalars that follow from them.</source>
        <translation>p.Ap und r.r in eigenen Durchgängen, mit den Skalaren, die daraus folgen.</translation>
    </message>
    <message>
        <source>Biharmonic</source>
        <translation>Biharmonisch</translation>
    </message>
    <message>
        <source>Clipped highlights, rounded</source>
        <translation>Begrenzte Lichter, gerundet</translation>
    </message>
    <message>
        <source>Harmonic</source>
        <translation>Harmonisch</translation>
    </message>
    <message>
        <source>How missing samples follow from the known ones around them.</source>
        <translation>Wie fehlende Werte aus den bekannten um sie herum folgen.</translation>
    </message>
    <message>
        <source>Interpolation</source>
        <translation>Interpolation</translation>
    </message>
    <message>
        <source>Like a membrane: no value beyond those around the hole, kinks at its edge</source>
        <translation>Wie eine Membran: kein Wert außerhalb derer um die Lücke, Knicke an ihrem Rand</translation>
    </message>
    <message>
        <source>Like a thin plate: continues gradients into the hole, and may exceed the values around it</source>
        <translation>Wie eine dünne Platte: setzt Gradienten in die Lücke fort und kann die Werte um sie herum überschreiten</translation>
    </message>
    <message>
        <source>Replaces missing samples - NaN, infinite or clipped ones, transparent pixels, fireflies - by a smooth interpolation of their surroundings: the solution of the Laplace equation, which takes no value beyond those around the hole, or of the biharmonic equation, which continues gradients into it. Volumes are filled in three dimensions, with their spacing. NaN is always missing; infinite samples that are not to be filled keep their values and influence none. A channel without a known sample stays as it is, with a warning.</source>
        <translation>Ersetzt fehlende Werte – NaN, unendliche oder begrenzte Werte, durchsichtige Pixel, Fireflies – durch eine glatte Interpolation ihrer Umgebung: die Lösung der Laplace-Gleichung, die keinen Wert außerhalb derer am Rand der Lücke annimmt, oder der biharmonischen Gleichung, die Gradienten in die Lücke fortsetzt. Volumen werden in drei Dimensionen gefüllt, mit ihrem Abstand. NaN fehlt immer; unendliche Werte, die nicht gefüllt werden sollen, bleiben und beeinflussen keine anderen. Ein Kanal ohne einen bekannten Wert bleibt mit einer Warnung, wie er ist.</translation>
    </message>
    <message>
        <source>Samples at or above 1, continued above it by the gradients around them.</source>
        <translation>Werte ab 1, durch die Gradienten um sie herum darüber hinaus fortgesetzt.</translation>
    </message>
    <message>
        <source>Along x</source>
        <translation>Entlang x</translation>
    </message>
    <message>
        <source>Along y</source>
        <translation>Entlang y</translation>
    </message>
    <message>
        <source>Along z</source>
        <translation>Entlang z</translation>
    </message>
    <message>
        <source>Angle of the longer side of the picture at a zoom of 1, for a view in perspective. Parallel: distance does not change sizes.</source>
        <translation>Winkel der längeren Bildseite bei einem Zoom von 1, für eine perspektivische Ansicht. Parallel: Der Abstand ändert keine Größen.</translation>
    </message>
    <message>
        <source>Azimuth</source>
        <translation>Azimut</translation>
    </message>
    <message>
        <source>Bones, for values in HU.</source>
        <translation>Knochen, für Werte in HU.</translation>
    </message>
    <message>
        <source>CT: bone</source>
        <translation>CT: Knochen</translation>
    </message>
    <message>
        <source>CT: bone surface</source>
        <translation>CT: Knochenoberfläche</translation>
    </message>
    <message>
        <source>CT: lung</source>
        <translation>CT: Lunge</translation>
    </message>
    <message>
        <source>CT: soft tissue</source>
        <translation>CT: Weichteile</translation>
    </message>
    <message>
        <source>CT: vessels</source>
        <translation>CT: Gefäße</translation>
    </message>
    <message>
        <source>Clip x from</source>
        <translation>Ausschnitt x von</translation>
    </message>
    <message>
        <source>Clip x to</source>
        <translation>Ausschnitt x bis</translation>
    </message>
    <message>
        <source>Clip y from</source>
        <translation>Ausschnitt y von</translation>
    </message>
    <message>
        <source>Clip y to</source>
        <translation>Ausschnitt y bis</translation>
    </message>
    <message>
        <source>Clip z from</source>
        <translation>Ausschnitt z von</translation>
    </message>
    <message>
        <source>Clip z to</source>
        <translation>Ausschnitt z bis</translation>
    </message>
    <message>
        <source>Colours and opacities of all values on each ray, from front to back</source>
        <translation>Farben und Deckkraft aller Werte auf jedem Strahl, von vorn nach hinten</translation>
    </message>
    <message>
        <source>Direction of view before the camera is turned.</source>
        <translation>Blickrichtung, bevor die Kamera gedreht wird.</translation>
    </message>
    <message>
        <source>Distance of the samples on a ray, in units of the finest spacing. 0.5 and less show fine structures better, and take longer.</source>
        <translation>Abstand der Abtastwerte auf einem Strahl, in Einheiten des feinsten Rasterabstands. 0,5 und weniger zeigen feine Strukturen besser und dauern länger.</translation>
    </message>
    <message>
        <source>Elevation</source>
        <translation>Höhenwinkel</translation>
    </message>
    <message>
        <source>Field of view</source>
        <translation>Bildwinkel</translation>
    </message>
    <message>
        <source>Height of the picture. Auto: from the width and the proportions of the volume.</source>
        <translation>Höhe des Bildes. Automatisch: aus der Breite und den Proportionen des Volumens.</translation>
    </message>
    <message>
        <source>How the values on a ray become a pixel.</source>
        <translation>Wie aus den Werten auf einem Strahl ein Pixel wird.</translation>
    </message>
    <message>
        <source>Lungs and airways, for values in HU.</source>
        <translation>Lunge und Atemwege, für Werte in HU.</translation>
    </message>
    <message>
        <source>Magnification; at 1 the volume fits into the picture in a view that is not turned.</source>
        <translation>Vergrößerung; bei 1 passt das Volumen in einer nicht gedrehten Ansicht in das Bild.</translation>
    </message>
    <message>
        <source>Makes a picture of a volume: maximum, minimum or mean intensity, a shaded surface, or colours and opacities of a transfer function, seen by a camera. NaN and infinite samples are left out. Where a ray meets nothing, projections have the smallest value of the volume, other pictures are black.</source>
        <translation>Macht ein Bild eines Volumens: maximale, minimale oder mittlere Intensität, eine schattierte Oberfläche oder Farben und Deckkraft einer Transferfunktion, gesehen von einer Kamera. NaN und unendliche Abtastwerte werden ausgelassen. Wo ein Strahl auf nichts trifft, haben Projektionen den kleinsten Wert des Volumens, andere Bilder sind schwarz.</translation>
    </message>
    <message>
        <source>Maximum intensity</source>
        <translation>Maximale Intensität</translation>
    </message>
    <message>
        <source>Mean intensity</source>
        <translation>Mittlere Intensität</translation>
    </message>
    <message>
        <source>Minimum intensity</source>
        <translation>Minimale Intensität</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Moves the volume down by this share of the picture&apos;s height.</source>
        <translation>Verschiebt das Volumen um diesen Anteil der Bildhöhe nach unten.</translation>
    </message>
    <message>
        <source>Moves the volume to the right by this share of the picture&apos;s width.</source>
        <translation>Verschiebt das Volumen um diesen Anteil der Bildbreite nach rechts.</translation>
    </message>
    <message>
        <source>Multiplies colours by the light that the gradient reflects to the viewer.</source>
        <translation>Multipliziert Farben mit dem Licht, das der Gradient zum Betrachter zurückwirft.</translation>
    </message>
    <message>
        <source>Nodes VALUE:OPACITY:#RRGGBB with ascending values, separated by blanks. The opacity, 0 to 1, is that of a layer as thick as the finest spacing; the colour is white if left out.</source>
        <translation>Stützstellen WERT:DECKKRAFT:#RRGGBB mit aufsteigenden Werten, durch Leerzeichen getrennt. Die Deckkraft, 0 bis 1, ist die einer Schicht von der Dicke des feinsten Rasterabstands; ohne Angabe ist die Farbe Weiß.</translation>
    </message>
    <message>
        <source>Pan down</source>
        <translation>Nach unten verschieben</translation>
    </message>
    <message>
        <source>Pan right</source>
        <translation>Nach rechts verschieben</translation>
    </message>
    <message>
        <source>Roll</source>
        <translation>Rollwinkel</translation>
    </message>
    <message>
        <source>Shading</source>
        <translation>Schattierung</translation>
    </message>
    <message>
        <source>Skin, muscles and organs, for values in HU.</source>
        <translation>Haut, Muskeln und Organe, für Werte in HU.</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schrittweite</translation>
    </message>
    <message>
        <source>Surface</source>
        <translation>Oberfläche</translation>
    </message>
    <message>
        <source>The first place on each ray that reaches the threshold, shaded by its gradient</source>
        <translation>Die erste Stelle auf jedem Strahl, die den Schwellenwert erreicht, schattiert nach ihrem Gradienten</translation>
    </message>
    <message>
        <source>The largest value on each ray, in the unit of the volume</source>
        <translation>Der größte Wert auf jedem Strahl, in der Einheit des Volumens</translation>
    </message>
    <message>
        <source>The mean of the values on each ray, as an X-ray image shows them</source>
        <translation>Der Mittelwert auf jedem Strahl, wie ihn ein Röntgenbild zeigt</translation>
    </message>
    <message>
        <source>The smallest value on each ray, in the unit of the volume</source>
        <translation>Der kleinste Wert auf jedem Strahl, in der Einheit des Volumens</translation>
    </message>
    <message>
        <source>The surface at 300 HU.</source>
        <translation>Die Oberfläche bei 300 HU.</translation>
    </message>
    <message>
        <source>The volume is shown from here on, as a share of its extent along x.</source>
        <translation>Ab hier wird das Volumen gezeigt, als Anteil seiner Ausdehnung entlang x.</translation>
    </message>
    <message>
        <source>The volume is shown from here on, as a share of its extent along y.</source>
        <translation>Ab hier wird das Volumen gezeigt, als Anteil seiner Ausdehnung entlang y.</translation>
    </message>
    <message>
        <source>The volume is shown from here on, as a share of its extent along z.</source>
        <translation>Ab hier wird das Volumen gezeigt, als Anteil seiner Ausdehnung entlang z.</translation>
    </message>
    <message>
        <source>The volume is shown up to here, as a share of its extent along x.</source>
        <translation>Bis hier wird das Volumen gezeigt, als Anteil seiner Ausdehnung entlang x.</translation>
    </message>
    <message>
        <source>The volume is shown up to here, as a share of its extent along y.</source>
        <translation>Bis hier wird das Volumen gezeigt, als Anteil seiner Ausdehnung entlang y.</translation>
    </message>
    <message>
        <source>The volume is shown up to here, as a share of its extent along z.</source>
        <translation>Bis hier wird das Volumen gezeigt, als Anteil seiner Ausdehnung entlang z.</translation>
    </message>
    <message>
        <source>Transfer function</source>
        <translation>Transferfunktion</translation>
    </message>
    <message>
        <source>Turns the camera around the direction of view, so that the picture turns clockwise.</source>
        <translation>Dreht die Kamera um die Blickrichtung, sodass sich das Bild im Uhrzeigersinn dreht.</translation>
    </message>
    <message>
        <source>Turns the camera around the vertical axis of the picture, to the right.</source>
        <translation>Dreht die Kamera um die senkrechte Achse des Bildes nach rechts.</translation>
    </message>
    <message>
        <source>Turns the camera upwards, after the azimuth.</source>
        <translation>Dreht die Kamera nach oben, nach dem Azimut.</translation>
    </message>
    <message>
        <source>Value of the surface, in the unit of the volume.</source>
        <translation>Wert der Oberfläche, in der Einheit des Volumens.</translation>
    </message>
    <message>
        <source>Vessels with contrast agent, and bones, for values in HU.</source>
        <translation>Gefäße mit Kontrastmittel und Knochen, für Werte in HU.</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Volume rendering</source>
        <translation>Volumendarstellung</translation>
    </message>
    <message>
        <source>Width of the picture. Auto: from the height, or one pixel for each sample of the longest side of the volume.</source>
        <translation>Breite des Bildes. Automatisch: aus der Höhe, oder ein Pixel für jeden Abtastwert der längsten Seite des Volumens.</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>parallel</source>
        <translation>parallel</translation>
    </message>
    <message>
        <source>x to the right, y down, as slices are shown; patients from the feet</source>
        <translation>x nach rechts, y nach unten, wie Schichten gezeigt werden; Patienten von den Füßen her</translation>
    </message>
    <message>
        <source>x to the right, z up; patients from the front</source>
        <translation>x nach rechts, z nach oben; Patienten von vorn</translation>
    </message>
    <message>
        <source>y to the right, z up; patients from their left</source>
        <translation>y nach rechts, z nach oben; Patienten von ihrer linken Seite</translation>
    </message>
    <message>
        <source>Anchor z</source>
        <translation>Anker z</translation>
    </message>
    <message>
        <source>Axes along which the window extends. Images have x and y; for volumes choose between slices and three dimensions.</source>
        <translation>Achsen, entlang derer sich das Fenster erstreckt. Bilder haben x und y; bei Volumen die Wahl zwischen Schichten und drei Dimensionen.</translation>
    </message>
    <message>
        <source>Derivative along z with better rotational symmetry; size 3, needs axes=xyz</source>
        <translation>Ableitung nach z mit besserer Rotationssymmetrie; Größe 3, braucht axes=xyz</translation>
    </message>
    <message>
        <source>Derivative along z, mean along x and y; needs axes=xyz</source>
        <translation>Ableitung nach z, Mittel über x und y; braucht axes=xyz</translation>
    </message>
    <message>
        <source>Derivative along z, smoothed along x and y; needs axes=xyz</source>
        <translation>Ableitung nach z, geglättet über x und y; braucht axes=xyz</translation>
    </message>
    <message>
        <source>Each slice of a volume is filtered on its own</source>
        <translation>Jede Schicht eines Volumens wird für sich gefiltert</translation>
    </message>
    <message>
        <source>Millimetres</source>
        <translation>Millimeter</translation>
    </message>
    <message>
        <source>Pixels or voxels, the same number along each axis</source>
        <translation>Pixel oder Voxel, die gleiche Anzahl entlang jeder Achse</translation>
    </message>
    <message>
        <source>Prewitt z</source>
        <translation>Prewitt z</translation>
    </message>
    <message>
        <source>Replaces each sample by a weighted sum of its neighbourhood: blur, sharpen, detect edges, or use your own weights. Volumes are filtered slice by slice, or in three dimensions with axes=xyz. A NaN or infinity under the window reaches the result, under a weight of 0 as well.</source>
        <translation>Ersetzt jeden Wert durch eine gewichtete Summe seiner Umgebung: glätten, schärfen, Kanten finden oder eigene Gewichte verwenden. Volumen werden Schicht für Schicht gefiltert, mit axes=xyz in drei Dimensionen. NaN oder Unendlich unter dem Fenster erreichen das Ergebnis, auch unter einem Gewicht von 0.</translation>
    </message>
    <message>
        <source>Rows of numbers, one per line or ended by &apos;;&apos;, as pasted from NumPy, MATLAB or ImageJ; at most 127 x 127. With axes=xyz slices follow each other, separated by &apos;|&apos; or an empty line.</source>
        <translation>Zahlenreihen, eine pro Zeile oder mit „;“ beendet, wie aus NumPy, MATLAB oder ImageJ eingefügt; höchstens 127 x 127. Mit axes=xyz folgen Schichten aufeinander, getrennt durch „|“ oder eine leere Zeile.</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Scharr z</source>
        <translation>Scharr z</translation>
    </message>
    <message>
        <source>Sigma unit</source>
        <translation>Einheit von Sigma</translation>
    </message>
    <message>
        <source>Slice of the kernel that is placed on the voxel, from 0; -1 is the centre, size / 2.</source>
        <translation>Schicht des Kerns, die auf dem Voxel liegt, ab 0; -1 ist die Mitte, Größe / 2.</translation>
    </message>
    <message>
        <source>Slices (x, y)</source>
        <translation>Schichten (x, y)</translation>
    </message>
    <message>
        <source>Sobel z</source>
        <translation>Sobel z</translation>
    </message>
    <message>
        <source>The same distance along each axis, by the voxel spacing of the volume</source>
        <translation>Die gleiche Strecke entlang jeder Achse, nach dem Voxelabstand des Volumens</translation>
    </message>
    <message>
        <source>The window extends across slices as well; emboss and motion exist in slices only</source>
        <translation>Das Fenster reicht auch über Schichten; Relief und Bewegung gibt es nur in Schichten</translation>
    </message>
    <message>
        <source>Unit of sigma. In mm a window on anisotropic voxels has a different sigma along each axis. An image, or a volume without geometry, counts as 1 mm.</source>
        <translation>Einheit von Sigma. In mm hat ein Fenster auf anisotropen Voxeln entlang jeder Achse ein anderes Sigma. Ein Bild oder ein Volumen ohne Geometrie zählt als 1 mm.</translation>
    </message>
    <message>
        <source>Volume (x, y, z)</source>
        <translation>Volumen (x, y, z)</translation>
    </message>
    <message>
        <source>Width and height of the window, with axes=xyz also its depth. The cost grows with its square or cube. Derivatives and sharpening need an odd size.</source>
        <translation>Breite und Höhe des Fensters, mit axes=xyz auch die Tiefe. Der Aufwand wächst mit dem Quadrat oder der dritten Potenz. Ableitungen und Schärfen brauchen eine ungerade Größe.</translation>
    </message>
    <message>
        <source>Standard deviation of the Gaussian, in the unit of &apos;sigma-unit&apos;. 0 derives it from the size: 0.3 ((size - 1) / 2 - 1) + 0.8 samples, OpenCV&apos;s formula; OpenCV itself takes rounded tables for sizes up to 9. A window of about 6 sigma contains 99.7 % of the weight.</source>
        <translation>Standardabweichung der Gaußfunktion, in der Einheit von „sigma-unit“. 0 leitet sie aus der Größe ab: 0,3 ((Größe - 1) / 2 - 1) + 0,8 Werte, die Formel von OpenCV; OpenCV selbst nimmt bis zur Größe 9 gerundete Tabellen. Ein Fenster von etwa 6 Sigma enthält 99,7 % des Gewichts.</translation>
    </message>
    <message>
        <source>+infinity becomes</source>
        <translation>+Unendlich wird zu</translation>
    </message>
    <message>
        <source>-infinity becomes</source>
        <translation>-Unendlich wird zu</translation>
    </message>
    <message>
        <source>Infinity becomes the largest number that a sample can hold, NaN becomes 0; as numpy.nan_to_num.</source>
        <translation>Unendlich wird zur größten Zahl, die ein Wert annehmen kann, NaN zu 0; wie numpy.nan_to_num.</translation>
    </message>
    <message>
        <source>Largest numbers</source>
        <translation>Größte Zahlen</translation>
    </message>
    <message>
        <source>NaN and infinity become 0.</source>
        <translation>NaN und Unendlich werden zu 0.</translation>
    </message>
    <message>
        <source>NaN becomes</source>
        <translation>NaN wird zu</translation>
    </message>
    <message>
        <source>Replace NaN and infinity</source>
        <translation>NaN und Unendlich ersetzen</translation>
    </message>
    <message>
        <source>Replaces samples that are NaN.</source>
        <translation>Ersetzt Werte, die NaN sind.</translation>
    </message>
    <message>
        <source>Replaces negative infinity, as with the smallest finite sample.</source>
        <translation>Ersetzt negatives Unendlich, etwa durch den kleinsten endlichen Wert.</translation>
    </message>
    <message>
        <source>Replaces positive infinity, as with the largest finite sample.</source>
        <translation>Ersetzt positives Unendlich, etwa durch den größten endlichen Wert.</translation>
    </message>
    <message>
        <source>Replaces samples that are NaN or infinite by fixed values, in every channel. All others stay as they are, bit for bit. The operation &apos;Fill missing samples&apos; interpolates instead.</source>
        <translation>Ersetzt Werte, die NaN oder unendlich sind, in jedem Kanal durch feste Werte. Alle anderen bleiben Bit für Bit, wie sie sind. Die Operation „Fehlende Werte füllen“ interpoliert stattdessen.</translation>
    </message>
    <message>
        <source>Axes of the gradient. Images have x and y; for volumes choose between slices and three dimensions.</source>
        <translation>Achsen des Gradienten. Bilder haben x und y; bei Volumen die Wahl zwischen Schichten und drei Dimensionen.</translation>
    </message>
    <message>
        <source>Edge magnitude</source>
        <translation>Kantenstärke</translation>
    </message>
    <message>
        <source>Magnitude of the gradient of each channel: the square root of the sum of the squared derivatives along x and y, with axes=xyz also along z. Large at edges in any direction, 0 in flat parts. Alpha is copied. A NaN under the window reaches the result.</source>
        <translation>Betrag des Gradienten jedes Kanals: die Wurzel aus der Summe der quadrierten Ableitungen nach x und y, mit axes=xyz auch nach z. Groß an Kanten jeder Richtung, 0 in gleichmäßigen Bereichen. Alpha wird kopiert. NaN unter dem Fenster erreicht das Ergebnis.</translation>
    </message>
    <message>
        <source>Prewitt</source>
        <translation>Prewitt</translation>
    </message>
    <message>
        <source>Scharr</source>
        <translation>Scharr</translation>
    </message>
    <message>
        <source>Smooths by 1 1 1</source>
        <translation>Glättet mit 1 1 1</translation>
    </message>
    <message>
        <source>Smooths by 1 2 1 across the derivative</source>
        <translation>Glättet mit 1 2 1 quer zur Ableitung</translation>
    </message>
    <message>
        <source>Smooths by 3 10 3: depends least on the direction of an edge</source>
        <translation>Glättet mit 3 10 3: hängt am wenigsten von der Richtung einer Kante ab</translation>
    </message>
    <message>
        <source>Sobel</source>
        <translation>Sobel</translation>
    </message>
    <message>
        <source>The gradient has a component along z as well, and each is smoothed along both other axes</source>
        <translation>Der Gradient hat auch eine Komponente entlang z, und jede wird entlang beider anderer Achsen geglättet</translation>
    </message>
    <message>
        <source>Weights of the derivatives, those of &apos;convolve&apos;. A ramp that rises by 1 a pixel gives 8 (Sobel), 32 (Scharr) or 6 (Prewitt), with axes=xyz 32, 512 or 18.</source>
        <translation>Gewichte der Ableitungen, dieselben wie in „convolve“. Eine Rampe, die um 1 je Pixel steigt, ergibt 8 (Sobel), 32 (Scharr) oder 6 (Prewitt), mit axes=xyz 32, 512 oder 18.</translation>
    </message>
    <message>
        <source>Derivative filter</source>
        <translation>Ableitungsfilter</translation>
    </message>
    <message>
        <source>Firm</source>
        <translation>Firm</translation>
    </message>
    <message>
        <source>Sets coefficients up to the threshold to 0 and keeps those from an upper threshold on unchanged, with a straight line between them</source>
        <translation>Setzt Koeffizienten bis zur Schwelle auf 0 und lässt die ab einer oberen Schwelle unverändert, mit einer Geraden dazwischen</translation>
    </message>
    <message>
        <source>Upper threshold ratio</source>
        <translation>Verhältnis der oberen Schwelle</translation>
    </message>
    <message>
        <source>Upper threshold, from which coefficients are kept, over the lower one, up to which they become 0. Close to 1 it is hard, large it is soft thresholding.</source>
        <translation>Obere Schwelle, ab der Koeffizienten behalten werden, geteilt durch die untere, bis zu der sie 0 werden. Nahe 1 wie „Hart“, groß wie „Weich“.</translation>
    </message>
</context>
<context>
    <name>choice</name>
    <message>
        <source>requested by name</source>
        <translation>namentlich angefordert</translation>
    </message>
    <message>
        <source>first variant of its backend that supports this</source>
        <translation>erste Variante ihres Backends, die dies unterstützt</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>The build is not optimised, so its times are meaningless</source>
        <translation>Dieses Programm wurde ohne Optimierung übersetzt; seine Zeiten sagen nichts aus</translation>
    </message>
    <message>
        <source>Build the release preset</source>
        <translation>Mit dem Preset „release“ übersetzen</translation>
    </message>
    <message>
        <source>The CPU governor is &apos;%1&apos;, so the clock rate may change during the measurement</source>
        <translation>Der CPU-Governor ist „%1“; der Takt kann sich während der Messung ändern</translation>
    </message>
    <message>
        <source>Set it to &apos;performance&apos;: sudo cpupower frequency-set -g performance</source>
        <translation>Auf „performance“ stellen: sudo cpupower frequency-set -g performance</translation>
    </message>
    <message>
        <source>The machine runs on battery, which may limit the clock rate</source>
        <translation>Der Rechner läuft im Akkubetrieb, was den Takt begrenzen kann</translation>
    </message>
    <message>
        <source>Connect the power supply</source>
        <translation>Das Netzteil anschließen</translation>
    </message>
    <message>
        <source>Other programs load the machine (load average %1 on %2 hardware threads)</source>
        <translation>Andere Programme belasten den Rechner (Last %1 bei %2 Hardware-Threads)</translation>
    </message>
    <message>
        <source>Close them or wait a minute</source>
        <translation>Diese beenden oder eine Minute warten</translation>
    </message>
    <message>
        <source>The CPU was throttled %1 times during the measurement because of heat</source>
        <translation>Die CPU wurde während der Messung wegen Überhitzung %1-mal gedrosselt</translation>
    </message>
    <message>
        <source>Improve the cooling, or take shorter measurements with pauses</source>
        <translation>Die Kühlung verbessern oder kürzer und mit Pausen messen</translation>
    </message>
    <message>
        <source>Other programs used %1 of %2 hardware threads during the measurement</source>
        <translation>Andere Programme nutzten während der Messung %1 von %2 Hardware-Threads</translation>
    </message>
    <message>
        <source>Close them</source>
        <translation>Diese beenden</translation>
    </message>
    <message>
        <source>The host gave %1 hardware threads of this virtual machine to others during the measurement</source>
        <translation>Der Host gab während der Messung %1 Hardware-Threads dieser virtuellen Maschine an andere ab</translation>
    </message>
    <message>
        <source>Measure while the host is idle, or on a physical machine</source>
        <translation>Messen, wenn der Host nicht ausgelastet ist, oder auf einem physischen Rechner</translation>
    </message>
    <message>
        <source>Only %1 of at least %2 timing samples were taken before the time limit</source>
        <translation>Bis zur Zeitgrenze wurden nur %1 von mindestens %2 Läufen gemessen</translation>
    </message>
    <message>
        <source>Use a higher effort or a smaller image</source>
        <translation>Einen höheren Aufwand oder ein kleineres Bild wählen</translation>
    </message>
    <message>
        <source>%1 threads share the %2 hardware threads available to this process</source>
        <translation>%1 Threads teilen sich die %2 Hardware-Threads, die diesem Prozess zur Verfügung stehen</translation>
    </message>
    <message>
        <source>Use at most that many threads</source>
        <translation>Höchstens so viele Threads verwenden</translation>
    </message>
    <message>
        <source>A timing sample is shorter than 20 clock steps of %1 ns</source>
        <translation>Ein Lauf ist kürzer als 20 Schritte der Uhr von %1 ns</translation>
    </message>
    <message>
        <source>Use a larger image</source>
        <translation>Ein größeres Bild verwenden</translation>
    </message>
    <message>
        <source>The median is known only to +-%1</source>
        <translation>Der Median ist nur auf ±%1 genau bekannt</translation>
    </message>
    <message>
        <source>Reduce other load or use a higher effort</source>
        <translation>Andere Last verringern oder einen höheren Aufwand wählen</translation>
    </message>
    <message>
        <source>%1 of %2 timing samples are far from the median</source>
        <translation>%1 von %2 Läufen liegen weit vom Median entfernt</translation>
    </message>
    <message>
        <source>Look at the runs chart: other programs may have interfered</source>
        <translation>Im Diagramm „Läufe“ nachsehen: Andere Programme können gestört haben</translation>
    </message>
    <message>
        <source>Times changed by %1 between the first and the last third of the samples</source>
        <translation>Die Zeiten änderten sich vom ersten zum letzten Drittel der Läufe um %1</translation>
    </message>
    <message>
        <source>Let the machine cool down or warm up first: the clock rate may have changed</source>
        <translation>Den Rechner erst abkühlen oder warm laufen lassen: Der Takt kann sich geändert haben</translation>
    </message>
    <message>
        <source>Let it cool down or improve its cooling</source>
        <translation>Die GPU abkühlen lassen oder ihre Kühlung verbessern</translation>
    </message>
    <message>
        <source>1 slice is missing: %1</source>
        <translation>1 Schicht fehlt: %1</translation>
    </message>
    <message>
        <source>%1 slices are missing: %2</source>
        <translation>%1 Schichten fehlen: %2</translation>
    </message>
    <message>
        <source>between %1 (slice %2) and %3 (slice %4) the distance is %5 instead of %6</source>
        <translation>zwischen %1 (Schicht %2) und %3 (Schicht %4) beträgt der Abstand %5 statt %6</translation>
    </message>
    <message>
        <source>and %1 more gaps</source>
        <translation>und %1 weitere Lücken</translation>
    </message>
    <message>
        <source>Nothing was interpolated</source>
        <translation>Es wurde nichts interpoliert</translation>
    </message>
    <message>
        <source>The slices are unevenly spaced: their distances are %1 to %2, the median is %3, %4 of %5 differ from it by more than 1 %</source>
        <translation>Die Schichten haben ungleiche Abstände: %1 bis %2, Median %3; %4 von %5 weichen um mehr als 1 % davon ab</translation>
    </message>
    <message>
        <source>The slices have no positions</source>
        <translation>Die Schichten haben keine Positionen</translation>
    </message>
    <message>
        <source>they are ordered by instance number, with their thickness as distance (%1)</source>
        <translation>sie sind nach Instanznummer geordnet, mit ihrer Dicke als Abstand (%1)</translation>
    </message>
    <message>
        <source>The file has no pixel spacing</source>
        <translation>Die Datei nennt keinen Pixelabstand</translation>
    </message>
    <message>
        <source>1 mm is assumed</source>
        <translation>angenommen wird 1 mm</translation>
    </message>
    <message>
        <source>1 mm is assumed across and, by the aspect ratio, %1 down</source>
        <translation>angenommen werden 1 mm waagerecht und, dem Seitenverhältnis nach, %1 senkrecht</translation>
    </message>
    <message>
        <source>The pixel spacing is that of the detector, not of the patient</source>
        <translation>Der Pixelabstand ist der des Detektors, nicht der im Patienten</translation>
    </message>
    <message>
        <source>The slices are sheared (gantry tilt): the line of their positions is %1 degrees off their normal</source>
        <translation>Die Schichten sind geschert (Gantry-Neigung): Die Linie ihrer Positionen weicht um %1 Grad von ihrer Normalen ab</translation>
    </message>
    <message>
        <source>%1 along it are %2 across the slices</source>
        <translation>%1 entlang dieser Linie sind %2 quer zu den Schichten</translation>
    </message>
    <message>
        <source>The slices are shifted sideways by up to %1</source>
        <translation>Die Schichten sind um bis zu %1 seitlich verschoben</translation>
    </message>
    <message>
        <source>The slices have no orientation</source>
        <translation>Die Schichten haben keine Orientierung</translation>
    </message>
    <message>
        <source>axial is assumed</source>
        <translation>axial wird angenommen</translation>
    </message>
    <message>
        <source>1 slice is at the position of another one (%1)</source>
        <translation>1 Schicht liegt an der Position einer anderen (%1)</translation>
    </message>
    <message>
        <source>%1 slices are at the position of another one (%2)</source>
        <translation>%1 Schichten liegen an der Position einer anderen (%2)</translation>
    </message>
    <message>
        <source>the one with the lowest number was used</source>
        <translation>die mit der kleinsten Nummer wurde verwendet</translation>
    </message>
    <message>
        <source>The rescale slope of the file is 0</source>
        <translation>Die Rescale Slope der Datei ist 0</translation>
    </message>
    <message>
        <source>1 was used</source>
        <translation>verwendet wurde 1</translation>
    </message>
    <message>
        <source>1 file is a copy of others and was left out</source>
        <translation>1 Datei ist eine Kopie und wurde ausgelassen</translation>
    </message>
    <message>
        <source>%1 files are copies of others and were left out</source>
        <translation>%1 Dateien sind Kopien anderer und wurden ausgelassen</translation>
    </message>
    <message>
        <source>1 subfolder was skipped for lack of read permission</source>
        <translation>1 Unterordner wurde übersprungen, weil er nicht gelesen werden darf</translation>
    </message>
    <message>
        <source>%1 subfolders were skipped for lack of read permission</source>
        <translation>%1 Unterordner wurden übersprungen, weil sie nicht gelesen werden dürfen</translation>
    </message>
    <message>
        <source>images may be missing</source>
        <translation>Bilder können fehlen</translation>
    </message>
    <message>
        <source>1 DICOM file of the folder cannot be read</source>
        <translation>1 DICOM-Datei des Ordners lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>%1 DICOM files of the folder cannot be read</source>
        <translation>%1 DICOM-Dateien des Ordners lassen sich nicht lesen</translation>
    </message>
    <message>
        <source>The modality LUT of the file was not applied</source>
        <translation>Die Modality LUT der Datei wurde nicht angewendet</translation>
    </message>
    <message>
        <source>The spacing of axis %1 is invalid</source>
        <translation>Der Abstand der Achse %1 ist ungültig</translation>
    </message>
    <message>
        <source>The unit &apos;%1&apos; of its distances is unknown</source>
        <translation>Die Einheit „%1“ der Abstände ist unbekannt</translation>
    </message>
    <message>
        <source>mm are assumed</source>
        <translation>angenommen werden mm</translation>
    </message>
    <message>
        <source>The header has no directions of axes</source>
        <translation>Der Dateikopf nennt keine Achsenrichtungen</translation>
    </message>
    <message>
        <source>x to the left, y to the back and z to the head are assumed, as in ITK</source>
        <translation>angenommen wird wie in ITK: x nach links, y nach hinten, z zum Kopf</translation>
    </message>
    <message>
        <source>The directions of its axes are invalid</source>
        <translation>Die Achsenrichtungen sind ungültig</translation>
    </message>
    <message>
        <source>the orientation is unknown</source>
        <translation>die Orientierung ist unbekannt</translation>
    </message>
    <message>
        <source>The two orientations in the header (sform and qform) differ by up to %1 mm</source>
        <translation>Die beiden Orientierungen im Dateikopf (sform und qform) unterscheiden sich um bis zu %1 mm</translation>
    </message>
    <message>
        <source>sform is used</source>
        <translation>sform wird verwendet</translation>
    </message>
    <message>
        <source>The header has no orientation</source>
        <translation>Der Dateikopf nennt keine Orientierung</translation>
    </message>
    <message>
        <source>x to the left and the origin in the centre are assumed</source>
        <translation>angenommen werden x nach links und der Ursprung in der Mitte</translation>
    </message>
    <message>
        <source>The file holds %1 volumes</source>
        <translation>Die Datei enthält %1 Volumen</translation>
    </message>
    <message>
        <source>The file holds %1 pages</source>
        <translation>Die Datei enthält %1 Seiten</translation>
    </message>
    <message>
        <source>The file holds %1 images</source>
        <translation>Die Datei enthält %1 Bilder</translation>
    </message>
    <message>
        <source>the first was opened</source>
        <translation>das erste wurde geöffnet</translation>
    </message>
    <message>
        <source>The colour profile is not applied</source>
        <translation>Das Farbprofil wird nicht angewendet</translation>
    </message>
    <message>
        <source>The colour profile &apos;%1&apos; is not applied</source>
        <translation>Das Farbprofil „%1“ wird nicht angewendet</translation>
    </message>
    <message>
        <source>samples are taken as sRGB</source>
        <translation>die Werte gelten als sRGB</translation>
    </message>
    <message>
        <source>only its tone curve is used</source>
        <translation>nur seine Tonwertkurve wird verwendet</translation>
    </message>
    <message>
        <source>%1 samples were below 0, above 1 or NaN and were clipped</source>
        <translation>%1 Werte lagen unter 0, über 1 oder waren NaN und wurden begrenzt</translation>
    </message>
    <message>
        <source>EXR, float TIFF and PFM keep them</source>
        <translation>EXR, Gleitkomma-TIFF und PFM erhalten sie</translation>
    </message>
    <message>
        <source>%1 samples of type %2 exceed the range of float and became infinite</source>
        <translation>%1 Werte vom Typ %2 überschreiten den Bereich von float und wurden unendlich</translation>
    </message>
    <message>
        <source>%1 samples of type %2 need more than the 24 bits of a float and were rounded</source>
        <translation>%1 Werte vom Typ %2 brauchen mehr als die 24 Bit eines float und wurden gerundet</translation>
    </message>
    <message>
        <source>The file is damaged: %1 of %2 tiles could not be read and are 0 (%3)</source>
        <translation>Die Datei ist beschädigt: %1 von %2 Kacheln ließen sich nicht lesen und sind 0 (%3)</translation>
    </message>
    <message>
        <source>The file is damaged: %1 of %2 lines could not be read and are 0 (%3)</source>
        <translation>Die Datei ist beschädigt: %1 von %2 Zeilen ließen sich nicht lesen und sind 0 (%3)</translation>
    </message>
    <message>
        <source>The file has %1 parts</source>
        <translation>Die Datei hat %1 Teile</translation>
    </message>
    <message>
        <source>part 0, &apos;%1&apos;, was opened</source>
        <translation>Teil 0, „%1“, wurde geöffnet</translation>
    </message>
    <message>
        <source>Luminance and subsampled chroma were converted to R, G and B</source>
        <translation>Luminanz und unterabgetastete Farbdifferenzen wurden in R, G und B umgerechnet</translation>
    </message>
    <message>
        <source>Channels of lower resolution were enlarged by repeating samples</source>
        <translation>Kanäle mit geringerer Auflösung wurden durch Wiederholen der Werte vergrößert</translation>
    </message>
    <message>
        <source>Channel &apos;%1&apos; has integers above 2^24, which float cannot hold exactly</source>
        <translation>Kanal „%1“ hat ganze Zahlen über 2^24, die float nicht genau darstellen kann</translation>
    </message>
    <message>
        <source>The file is truncated: %1 of %2 scan lines were read, the others are 0</source>
        <translation>Die Datei ist unvollständig: %1 von %2 Zeilen wurden gelesen, die übrigen sind 0</translation>
    </message>
    <message>
        <source>%1 samples were negative, too large or NaN, which Radiance HDR cannot hold</source>
        <translation>%1 Werte waren negativ, zu groß oder NaN, was Radiance HDR nicht darstellen kann</translation>
    </message>
    <message>
        <source>EXR and PFM keep them</source>
        <translation>EXR und PFM erhalten sie</translation>
    </message>
    <message>
        <source>The file ends too early: a part of the picture may be missing</source>
        <translation>Die Datei endet zu früh: Ein Teil des Bildes kann fehlen</translation>
    </message>
    <message>
        <source>%1 of %2 strips or tiles are damaged and shown as 0 (%3)</source>
        <translation>%1 von %2 Streifen oder Kacheln sind beschädigt und werden als 0 gezeigt (%3)</translation>
    </message>
    <message>
        <source>Samples of type %1 are opened as numbers, without a transfer curve</source>
        <translation>Werte vom Typ %1 werden als Zahlen ohne Übertragungskurve geöffnet</translation>
    </message>
    <message>
        <source>Saved as NIfTI-2, since a side has more than 32,767 samples</source>
        <translation>Als NIfTI-2 gespeichert, weil eine Seite mehr als 32.767 Werte hat</translation>
    </message>
    <message>
        <source>Parameter &apos;%1&apos; of %2 has no effect here: it matters only with %3</source>
        <translation>Der Parameter „%1“ von %2 wirkt hier nicht: Er zählt nur bei %3</translation>
    </message>
    <message>
        <source>The filters do not reconstruct perfectly: the image changes by up to %1 of its samples in each pass, even without thresholding</source>
        <translation>Die Filter rekonstruieren nicht genau: Das Bild ändert sich je Durchgang um bis zu das %1-Fache seiner Werte, auch ohne Schwellwert</translation>
    </message>
    <message>
        <source>The filters do not reconstruct perfectly: the result differs by up to %1 of the samples in each pass</source>
        <translation>Die Filter rekonstruieren nicht genau: Das Ergebnis weicht je Durchgang um bis zu das %1-Fache der Werte ab</translation>
    </message>
    <message>
        <source>The coefficients do not record the size of the image</source>
        <translation>Die Koeffizienten nennen die Bildgröße nicht</translation>
    </message>
    <message>
        <source>assuming %1</source>
        <translation>angenommen: %1</translation>
    </message>
    <message>
        <source>Set width, height and depth if this is wrong.</source>
        <translation>Ist das falsch, Breite, Höhe und Tiefe angeben.</translation>
    </message>
    <message>
        <source>The coefficients do not record their transform</source>
        <translation>Die Koeffizienten nennen ihre Transformation nicht</translation>
    </message>
    <message>
        <source>Set the parameters of the transform if they differ</source>
        <translation>Weichen die Parameter der Transformation ab, diese angeben</translation>
    </message>
    <message>
        <source>EXR, PNG and .raw files keep them.</source>
        <translation>EXR-, PNG- und .raw-Dateien erhalten sie.</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Cannot open &apos;%1&apos;</source>
        <translation>„%1“ lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>Cannot read &apos;%1&apos;</source>
        <translation>„%1“ lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>Cannot write &apos;%1&apos;</source>
        <translation>„%1“ lässt sich nicht schreiben</translation>
    </message>
    <message>
        <source>Cannot save &apos;%1&apos;</source>
        <translation>„%1“ lässt sich nicht speichern</translation>
    </message>
    <message>
        <source>the file does not exist</source>
        <translation>die Datei ist nicht vorhanden</translation>
    </message>
    <message>
        <source>Check the name</source>
        <translation>Den Namen prüfen</translation>
    </message>
    <message>
        <source>it is a folder</source>
        <translation>es ist ein Ordner</translation>
    </message>
    <message>
        <source>it is a device or a pipe</source>
        <translation>es ist ein Gerät oder eine Pipe</translation>
    </message>
    <message>
        <source>it is not an ordinary file</source>
        <translation>es ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>Give a file or a folder</source>
        <translation>Eine Datei oder einen Ordner angeben</translation>
    </message>
    <message>
        <source>Give a file</source>
        <translation>Eine Datei angeben</translation>
    </message>
    <message>
        <source>there is not enough memory</source>
        <translation>der Speicher reicht nicht aus</translation>
    </message>
    <message>
        <source>Close other images, or use a smaller one</source>
        <translation>Andere Bilder schließen oder ein kleineres verwenden</translation>
    </message>
    <message>
        <source>Close other images or use a smaller one</source>
        <translation>Andere Bilder schließen oder ein kleineres verwenden</translation>
    </message>
    <message>
        <source>Close other images</source>
        <translation>Andere Bilder schließen</translation>
    </message>
    <message>
        <source>Close other programs</source>
        <translation>Andere Programme beenden</translation>
    </message>
    <message>
        <source>Close other programs, or raise the limit (ulimit)</source>
        <translation>Andere Programme beenden oder die Grenze erhöhen (ulimit)</translation>
    </message>
    <message>
        <source>memory or the allowed number of threads is used up</source>
        <translation>der Speicher oder die erlaubte Zahl der Threads ist erschöpft</translation>
    </message>
    <message>
        <source>Free some space or choose another folder</source>
        <translation>Platz schaffen oder einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>Choose another folder</source>
        <translation>Einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>Choose another name</source>
        <translation>Einen anderen Namen wählen</translation>
    </message>
    <message>
        <source>the name is empty</source>
        <translation>der Name ist leer</translation>
    </message>
    <message>
        <source>Give a file name</source>
        <translation>Einen Dateinamen angeben</translation>
    </message>
    <message>
        <source>the folder &apos;%1&apos; does not exist</source>
        <translation>der Ordner „%1“ ist nicht vorhanden</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a folder</source>
        <translation>„%1“ ist kein Ordner</translation>
    </message>
    <message>
        <source>Create it</source>
        <translation>Ihn anlegen</translation>
    </message>
    <message>
        <source>Saving was cancelled</source>
        <translation>Das Speichern wurde abgebrochen</translation>
    </message>
    <message>
        <source>Not enough memory</source>
        <translation>Der Speicher reicht nicht aus</translation>
    </message>
    <message>
        <source>Not enough memory on %1</source>
        <translation>Der Speicher von %1 reicht nicht aus</translation>
    </message>
    <message>
        <source>the run needs %1, %2 are available</source>
        <translation>nötig sind %1, verfügbar sind %2</translation>
    </message>
    <message>
        <source>the run needs %1, %2 are free</source>
        <translation>nötig sind %1, frei sind %2</translation>
    </message>
    <message>
        <source>%1 MiB of host memory were refused</source>
        <translation>%1 MiB Hauptspeicher wurden verweigert</translation>
    </message>
    <message>
        <source>Use a smaller image, another device or a CPU backend</source>
        <translation>Ein kleineres Bild, ein anderes Gerät oder ein CPU-Backend verwenden</translation>
    </message>
    <message>
        <source>Use a smaller image</source>
        <translation>Ein kleineres Bild verwenden</translation>
    </message>
    <message>
        <source>Images of different size cannot be compared</source>
        <translation>Bilder verschiedener Größe lassen sich nicht vergleichen</translation>
    </message>
    <message>
        <source>Backend &apos;%1&apos; is not available</source>
        <translation>Das Backend „%1“ ist nicht verfügbar</translation>
    </message>
    <message>
        <source>Backend &apos;%1&apos; does not implement &apos;%2&apos;</source>
        <translation>Das Backend „%1“ bietet „%2“ nicht an</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot do this</source>
        <translation>„%1“ kann dies nicht</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not available here</source>
        <translation>„%1“ ist hier nicht verfügbar</translation>
    </message>
    <message>
        <source>Choose another backend or change the parameters</source>
        <translation>Ein anderes Backend wählen oder die Parameter ändern</translation>
    </message>
    <message>
        <source>Its plug-in %1 was not built or not installed</source>
        <translation>Sein Plug-in %1 wurde nicht gebaut oder nicht installiert</translation>
    </message>
    <message>
        <source>Build Parallax on a machine where its requirements are installed</source>
        <translation>Parallax auf einem Rechner bauen, auf dem die Voraussetzungen installiert sind</translation>
    </message>
    <message>
        <source>Parameter &apos;%1&apos; cannot be &apos;%2&apos;</source>
        <translation>Der Parameter „%1“ kann nicht „%2“ sein</translation>
    </message>
    <message>
        <source>There is no parameter &apos;%1&apos;</source>
        <translation>Es gibt keinen Parameter „%1“</translation>
    </message>
    <message>
        <source>known are %1</source>
        <translation>bekannt sind %1</translation>
    </message>
    <message>
        <source>The image has no channel &apos;%1&apos;</source>
        <translation>Das Bild hat keinen Kanal „%1“</translation>
    </message>
    <message>
        <source>There is no channel &apos;%1&apos;</source>
        <translation>Es gibt keinen Kanal „%1“</translation>
    </message>
    <message>
        <source>its channels are %1</source>
        <translation>seine Kanäle sind %1</translation>
    </message>
    <message>
        <source>the image has %1</source>
        <translation>das Bild hat %1</translation>
    </message>
    <message>
        <source>Give names from this list, or &apos;all&apos;</source>
        <translation>Namen aus dieser Liste oder „all“ angeben</translation>
    </message>
    <message>
        <source>Tone mapping works on images only</source>
        <translation>Tonwertabbildung ist nur für Bilder möglich</translation>
    </message>
    <message>
        <source>the input is a volume of %1 slices</source>
        <translation>die Eingabe ist ein Volumen mit %1 Schichten</translation>
    </message>
    <message>
        <source>Adjust the display range of the view instead</source>
        <translation>Stattdessen den Anzeigebereich der Ansicht anpassen</translation>
    </message>
    <message>
        <source>Cannot make this convolution kernel</source>
        <translation>Dieser Faltungskern lässt sich nicht bilden</translation>
    </message>
    <message>
        <source>Cannot read recipe &apos;%1&apos;</source>
        <translation>Das Rezept „%1“ lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>Cannot read report &apos;%1&apos;</source>
        <translation>Der Bericht „%1“ lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>it is not valid JSON</source>
        <translation>es ist kein gültiges JSON</translation>
    </message>
    <message>
        <source>Use a JSON report written by &apos;parallax-cli bench --report&apos;</source>
        <translation>Einen JSON-Bericht verwenden, den „parallax-cli bench --report“ geschrieben hat</translation>
    </message>
    <message>
        <source>If you trust the file, use --allow-large</source>
        <translation>Ist die Datei vertrauenswürdig, --allow-large verwenden</translation>
    </message>
    <message>
        <source>The records are of different machines: &apos;%1&apos; and &apos;%2&apos;</source>
        <translation>Die Messungen stammen von verschiedenen Rechnern: „%1“ und „%2“</translation>
    </message>
    <message>
        <source>The records have different input images</source>
        <translation>Die Messungen haben verschiedene Eingaben</translation>
    </message>
    <message>
        <source>The records have different recipes</source>
        <translation>Die Messungen haben verschiedene Rezepte</translation>
    </message>
    <message>
        <source>Base record: %1</source>
        <translation>Vorherige Messung: %1</translation>
    </message>
    <message>
        <source>New record: %1</source>
        <translation>Jetzige Messung: %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; was not measured in both records</source>
        <translation>„%1“ wurde nicht in beiden Messungen gemessen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is in the base record only</source>
        <translation>„%1“ ist nur in der vorherigen Messung enthalten</translation>
    </message>
    <message>
        <source>Get an intact copy of the file</source>
        <translation>Eine unbeschädigte Kopie der Datei beschaffen</translation>
    </message>
    <message>
        <source>its format is unknown (first bytes %1)</source>
        <translation>das Format ist unbekannt (erste Bytes: %1)</translation>
    </message>
    <message>
        <source>Convert it to one of %1</source>
        <translation>In eines dieser Formate umwandeln: %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no volume &apos;%2&apos;</source>
        <translation>„%1“ hat kein Volumen „%2“</translation>
    </message>
    <message>
        <source>The GPU has lowered its clocks because of its temperature (now %1 MHz, %2 degrees Celsius)</source>
        <translation>Die GPU hat wegen ihrer Temperatur den Takt gesenkt (jetzt %1 MHz, %2 Grad Celsius)</translation>
    </message>
    <message>
        <source>The GPU has lowered its clocks to stay within its power limit (now %1 MHz, %2 degrees Celsius)</source>
        <translation>Die GPU hat den Takt gesenkt, um ihre Leistungsgrenze einzuhalten (jetzt %1 MHz, %2 Grad Celsius)</translation>
    </message>
    <message>
        <source>Lock the clocks at a lower rate with &apos;nvidia-smi --lock-gpu-clocks&apos;</source>
        <translation>Den Takt mit „nvidia-smi --lock-gpu-clocks“ niedriger festsetzen</translation>
    </message>
    <message>
        <source>The hardware has lowered the clocks of the GPU (now %1 MHz, %2 degrees Celsius)</source>
        <translation>Die Hardware hat den Takt der GPU gesenkt (jetzt %1 MHz, %2 Grad Celsius)</translation>
    </message>
    <message>
        <source>Check its power supply and &apos;nvidia-smi -q&apos;</source>
        <translation>Die Stromversorgung und „nvidia-smi -q“ prüfen</translation>
    </message>
    <message>
        <source>%1 other process(es) use this GPU</source>
        <translation>%1 andere Prozesse nutzen diese GPU</translation>
    </message>
    <message>
        <source>End them or choose another device</source>
        <translation>Diese beenden oder ein anderes Gerät wählen</translation>
    </message>
    <message>
        <source>the kernel is a column times a row: %1 instead of %2 multiply-adds a sample</source>
        <translation>der Kern ist eine Spalte mal eine Zeile: %1 statt %2 Multiplikationen je Wert</translation>
    </message>
    <message>
        <source>converged</source>
        <translation>konvergiert</translation>
    </message>
    <message>
        <source>most iterations</source>
        <translation>Höchstzahl der Iterationen</translation>
    </message>
    <message>
        <source>stagnated</source>
        <translation>stagniert</translation>
    </message>
    <message>
        <source>direct</source>
        <translation>direkt</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>level %1</source>
        <translation>Ebene %1</translation>
    </message>
    <message>
        <source>No kernel is open</source>
        <translation>Kein Rechenkern ist geöffnet</translation>
    </message>
    <message>
        <source>Open one: File &gt; Open kernel in the window, --kernel in parallax-cli</source>
        <translation>Öffnen Sie einen: Datei &gt; Rechenkern öffnen im Fenster, --kernel in parallax-cli</translation>
    </message>
    <message>
        <source>&apos;%1&apos; and &apos;%2&apos; have the same output &apos;%3&apos;</source>
        <translation>„%1“ und „%2“ haben dieselbe Ausgabe „%3“</translation>
    </message>
    <message>
        <source>Add {name} to the name of the output, as in out/{name}.png</source>
        <translation>{name} in den Namen der Ausgabe aufnehmen, wie in out/{name}.png</translation>
    </message>
    <message>
        <source>Add {folder} or {number} to the name of the output</source>
        <translation>{folder} oder {number} in den Namen der Ausgabe aufnehmen</translation>
    </message>
    <message>
        <source>The output &apos;%1&apos; has an unknown placeholder</source>
        <translation>Die Ausgabe „%1“ hat einen unbekannten Platzhalter</translation>
    </message>
    <message>
        <source>{%1} stands for nothing</source>
        <translation>{%1} steht für nichts</translation>
    </message>
    <message>
        <source>Use {name}, {ext}, {folder}, {number}, {op} or {backend}</source>
        <translation>{name}, {ext}, {folder}, {number}, {op} oder {backend} verwenden</translation>
    </message>
    <message>
        <source>The output &apos;%1&apos; is an input of the batch</source>
        <translation>Die Ausgabe „%1“ ist eine Eingabe des Stapels</translation>
    </message>
    <message>
        <source>Write to another folder</source>
        <translation>In einen anderen Ordner schreiben</translation>
    </message>
    <message>
        <source>%1 outputs exist, &apos;%2&apos; among them</source>
        <translation>%1 Ausgaben gibt es schon, darunter „%2“</translation>
    </message>
    <message>
        <source>The folder &apos;%1&apos; has no image</source>
        <translation>Der Ordner „%1“ enthält kein Bild</translation>
    </message>
    <message>
        <source>none of its files has the ending of a known format</source>
        <translation>keine seiner Dateien hat die Endung eines bekannten Formats</translation>
    </message>
    <message>
        <source>the run needs %1, %2 are available; %3</source>
        <translation>der Durchlauf braucht %1, %2 sind verfügbar; %3</translation>
    </message>
    <message>
        <source>%1 MiB of host memory were refused; %2</source>
        <translation>%1 MiB Hauptspeicher wurden verweigert; %2</translation>
    </message>
    <message>
        <source>scratch files are switched off</source>
        <translation>Auslagerungsdateien sind abgeschaltet</translation>
    </message>
    <message>
        <source>the scratch folder &apos;%1&apos; has room for %2 MiB</source>
        <translation>der Auslagerungsordner „%1“ hat Platz für %2 MiB</translation>
    </message>
    <message>
        <source>the scratch folder &apos;%1&apos; does not exist</source>
        <translation>der Auslagerungsordner „%1“ existiert nicht</translation>
    </message>
    <message>
        <source>the scratch folder &apos;%1&apos; is in memory itself (tmpfs)</source>
        <translation>der Auslagerungsordner „%1“ liegt selbst im Speicher (tmpfs)</translation>
    </message>
    <message>
        <source>the scratch folder &apos;%1&apos; cannot be written: %2</source>
        <translation>in den Auslagerungsordner „%1“ kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>a scratch file of %1 MiB in &apos;%2&apos; is not possible: %3</source>
        <translation>eine Auslagerungsdatei von %1 MiB in „%2“ ist nicht möglich: %3</translation>
    </message>
    <message>
        <source>Free some disk space, or choose another folder with --scratch or PARALLAX_SCRATCH</source>
        <translation>Platz auf der Platte schaffen oder mit --scratch oder PARALLAX_SCRATCH einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>measurements use no scratch files, whose times would be those of the disk (&apos;run&apos; does)</source>
        <translation>Messungen benutzen keine Auslagerungsdateien, deren Zeiten die der Platte wären („run“ tut es)</translation>
    </message>
    <message>
        <source>Cannot measure this image</source>
        <translation>Dieses Bild kann nicht gemessen werden</translation>
    </message>
    <message>
        <source>it is in a scratch file, since memory is short</source>
        <translation>es liegt in einer Auslagerungsdatei, da der Speicher knapp ist</translation>
    </message>
    <message>
        <source>Close other images and open it again, or use a smaller one</source>
        <translation>Andere Bilder schließen und es neu öffnen oder ein kleineres verwenden</translation>
    </message>
    <message>
        <source>Memory is short: it was in scratch files, which takes longer</source>
        <translation>Der Speicher ist knapp: Es lag in Auslagerungsdateien, was länger dauert</translation>
    </message>
    <message>
        <source>The measurement was stopped before its end, so there are fewer samples than it would have taken</source>
        <translation>Die Messung wurde vorzeitig beendet und hat daher weniger Messwerte als vorgesehen</translation>
    </message>
    <message>
        <source>The file declares samples of narrow range (cICP), which is not applied</source>
        <translation>Die Datei gibt einen eingeschränkten Wertebereich an (cICP), der nicht angewendet wird</translation>
    </message>
    <message>
        <source>they are taken as full range</source>
        <translation>die Werte gelten als voller Bereich</translation>
    </message>
    <message>
        <source>The header does not name the space of its axes</source>
        <translation>Der Kopf nennt den Raum seiner Achsen nicht</translation>
    </message>
    <message>
        <source>Directions and origin are not used: the space &apos;%1&apos; has no orientation in the patient</source>
        <translation>Richtungen und Ursprung werden nicht verwendet: der Raum „%1“ hat keine Lage im Patienten</translation>
    </message>
    <message>
        <source>Choose a shorter name</source>
        <translation>Einen kürzeren Namen wählen</translation>
    </message>
    <message>
        <source>Cannot make the folder &apos;%1&apos;</source>
        <translation>Der Ordner „%1“ lässt sich nicht anlegen</translation>
    </message>
    <message>
        <source>it is a part of the input &apos;%1&apos;</source>
        <translation>das ist ein Teil der Eingabe „%1“</translation>
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
    <message>
        <source>1 sample beyond the range</source>
        <translation>1 Wert außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>%1 samples beyond the range</source>
        <translation>%1 Werte außerhalb des Bereichs</translation>
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
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Parts, growing image</source>
        <translation>Teile, wachsendes Bild</translation>
    </message>
</context>
<context>
    <name>memory</name>
    <message>
        <source>Memory besides the input: %1 estimated</source>
        <translation>Speicher neben der Eingabe: %1 geschätzt</translation>
    </message>
    <message>
        <source>, %1 at most</source>
        <translation>, höchstens %1</translation>
    </message>
    <message>
        <source>, and %1 in scratch files, since memory is short</source>
        <translation>, dazu %1 in Auslagerungsdateien, da der Speicher knapp ist</translation>
    </message>
    <message>
        <source>Memory of the device: %1 estimated</source>
        <translation>Speicher des Geräts: %1 geschätzt</translation>
    </message>
</context>
<context>
    <name>parallax::ui::AboutDialog</name>
    <message>
        <source>About Parallax</source>
        <translation>Über Parallax</translation>
    </message>
    <message>
        <source>Versions, licences and devices</source>
        <translation>Versionen, Lizenzen und Geräte</translation>
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
    <message>
        <source>&lt;h3&gt;Parallax %1&lt;/h3&gt;&lt;p&gt;Compares and measures image operations on interchangeable backends.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later. Not for clinical use.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Parallax %1&lt;/h3&gt;&lt;p&gt;Vergleicht und misst Bildoperationen auf austauschbaren Backends.&lt;/p&gt;&lt;p&gt;Freie Software unter der GNU General Public License, Version 3 oder später. Nicht für den klinischen Einsatz.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Versions, licences and devices. Include this text in bug reports.</source>
        <translation>Versionen, Lizenzen und Geräte. Diesen Text bitte Fehlerberichten beifügen.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::BatchTable</name>
    <message>
        <source>running …</source>
        <translation>läuft …</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>up to date</source>
        <translation>aktuell</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>nicht bearbeitet</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Problem or note</source>
        <translation>Problem oder Hinweis</translation>
    </message>
</context>
<context>
    <name>parallax::ui::BatchWindow</name>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Files of the batch and the outcome of each</source>
        <translation>Dateien des Stapels und was aus ihnen wird</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Apply the steps of result A on its backend, or convert the files as they are</source>
        <translation>Die Schritte von Ergebnis A auf dessen Backend anwenden oder die Dateien unverändert umwandeln</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Format of the outputs</source>
        <translation>Format der Ausgaben</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folder of the outputs; it is created if it does not exist</source>
        <translation>Ordner der Ausgaben; er wird angelegt, wenn es ihn nicht gibt</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Names of the outputs: {name} is the name of the input, {folder} that of its folder, {number} its place in the list, {op} the steps, {backend} the backend</source>
        <translation>Namen der Ausgaben: {name} ist der Name der Eingabe, {folder} der ihres Ordners, {number} ihr Platz in der Liste, {op} die Schritte, {backend} das Backend</translation>
    </message>
    <message>
        <source>At a time</source>
        <translation>Gleichzeitig</translation>
    </message>
    <message>
        <source>Number of files processed at the same time; they share the threads</source>
        <translation>Dateien, die gleichzeitig bearbeitet werden; sie teilen sich die Threads</translation>
    </message>
    <message>
        <source>Continue after &amp;errors</source>
        <translation>Bei &amp;Fehlern weitermachen</translation>
    </message>
    <message>
        <source>Continue after errors</source>
        <translation>Bei Fehlern weitermachen</translation>
    </message>
    <message>
        <source>Compute the other files when one cannot be opened, computed or saved</source>
        <translation>Die anderen Dateien bearbeiten, wenn eine nicht geöffnet, berechnet oder gespeichert werden kann</translation>
    </message>
    <message>
        <source>Skip &amp;up-to-date files</source>
        <translation>A&amp;ktuelle auslassen</translation>
    </message>
    <message>
        <source>Skip up-to-date files</source>
        <translation>Aktuelle auslassen</translation>
    </message>
    <message>
        <source>Skip files whose output exists and is not older than the input, and replace older outputs</source>
        <translation>Dateien auslassen, deren Ausgabe vorhanden und nicht älter als die Eingabe ist, und ältere Ausgaben ersetzen</translation>
    </message>
    <message>
        <source>&amp;Replace existing files</source>
        <translation>Dateien e&amp;rsetzen</translation>
    </message>
    <message>
        <source>Replace existing files</source>
        <translation>Dateien ersetzen</translation>
    </message>
    <message>
        <source>Replace outputs that already exist</source>
        <translation>Vorhandene Ausgaben ersetzen</translation>
    </message>
    <message>
        <source>&amp;Add files …</source>
        <translation>Dateien &amp;hinzufügen …</translation>
    </message>
    <message>
        <source>Add files</source>
        <translation>Dateien hinzufügen</translation>
    </message>
    <message>
        <source>Add images or volumes</source>
        <translation>Bilder oder Volumen hinzufügen</translation>
    </message>
    <message>
        <source>Add f&amp;older …</source>
        <translation>&amp;Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Add the images, or the DICOM series, of a folder</source>
        <translation>Die Bilder oder die DICOM-Serien eines Ordners hinzufügen</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove the selected files from the list, or all of them</source>
        <translation>Die ausgewählten Dateien aus der Liste entfernen, oder alle</translation>
    </message>
    <message>
        <source>&amp;Choose …</source>
        <translation>&amp;Wählen …</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Choose the folder of the outputs</source>
        <translation>Den Ordner der Ausgaben wählen</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Share of the batch that is done</source>
        <translation>Wie viel des Stapels erledigt ist</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>Convert only</source>
        <translation>Nur umwandeln</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>&amp;Work:</source>
        <translation>Ar&amp;beit:</translation>
    </message>
    <message>
        <source>Fol&amp;der:</source>
        <translation>Or&amp;dner:</translation>
    </message>
    <message>
        <source>&amp;Name:</source>
        <translation>&amp;Name:</translation>
    </message>
    <message>
        <source>At a &amp;time:</source>
        <translation>&amp;Gleichzeitig:</translation>
    </message>
    <message>
        <source>Close this window; a running batch continues (Esc)</source>
        <translation>Dieses Fenster schließen; ein laufender Stapel läuft weiter (Esc)</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Start</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Compute and save all files</source>
        <translation>Alle Dateien berechnen und speichern</translation>
    </message>
    <message>
        <source>Sto&amp;p</source>
        <translation>Sto&amp;pp</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Stop the batch; saved files are kept, and no file is left incomplete</source>
        <translation>Den Stapel anhalten; gespeicherte Dateien bleiben, und keine ist halb geschrieben</translation>
    </message>
    <message>
        <source>S&amp;how folder</source>
        <translation>Ordner &amp;zeigen</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>Open the folder of the outputs</source>
        <translation>Den Ordner der Ausgaben öffnen</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Folder of the outputs</source>
        <translation>Ordner der Ausgaben</translation>
    </message>
    <message>
        <source>Choose the folder of the outputs.</source>
        <translation>Wählen Sie den Ordner der Ausgaben.</translation>
    </message>
    <message>
        <source>Replace them, skip up-to-date files, or choose another folder or name.</source>
        <translation>Ersetzen Sie sie, lassen Sie aktuelle aus, oder wählen Sie einen anderen Ordner oder Namen.</translation>
    </message>
    <message>
        <source>Steps of result A: none yet</source>
        <translation>Schritte von Ergebnis A: noch keine</translation>
    </message>
    <message>
        <source>Steps of result A: %1, on %2</source>
        <translation>Schritte von Ergebnis A: %1, auf %2</translation>
    </message>
    <message>
        <source>Reading folders …</source>
        <translation>Ordner werden gelesen …</translation>
    </message>
    <message>
        <source>Add files or folders, or drop them here.</source>
        <translation>Fügen Sie Dateien oder Ordner hinzu, oder ziehen Sie sie hierher.</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation>%1 Dateien</translation>
    </message>
    <message>
        <source>%1 of %2 done</source>
        <translation>%1 von %2 fertig</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 up to date</source>
        <translation>%1 aktuell</translation>
    </message>
    <message>
        <source>%1 not run</source>
        <translation>%1 nicht bearbeitet</translation>
    </message>
    <message>
        <source>about %1 s left</source>
        <translation>noch etwa %1 s</translation>
    </message>
    <message>
        <source>The batch has ended</source>
        <translation>Der Stapel ist beendet</translation>
    </message>
    <message>
        <source>File &gt; Batch shows what failed</source>
        <translation>Datei &gt; Stapel zeigt, was fehlgeschlagen ist</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Benchmark</name>
    <message>
        <source>Nothing to measure</source>
        <translation>Nichts zu messen</translation>
    </message>
    <message>
        <source>all steps are off</source>
        <translation>alle Schritte sind aus</translation>
    </message>
    <message>
        <source>no image is open</source>
        <translation>kein Bild ist geöffnet</translation>
    </message>
    <message>
        <source>Enable or add a step in the Pipeline panel</source>
        <translation>Im Feld Pipeline einen Schritt einschalten oder hinzufügen</translation>
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
        <source>Not measured: %1</source>
        <translation>Nicht gemessen: %1</translation>
    </message>
    <message>
        <source>a benchmark compares backends on the input and steps of A</source>
        <translation>ein Benchmark vergleicht Backends an Eingabe und Schritten von A</translation>
    </message>
    <message>
        <source>Looking for energy counters</source>
        <translation>Energiezähler werden gesucht</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Chart</name>
    <message>
        <source>Show this run in &amp;A</source>
        <translation>Diesen Durchlauf in &amp;A zeigen</translation>
    </message>
    <message>
        <source>Pane A shows what this run computed; B changes too if both would be the same</source>
        <translation>Bildfläche A zeigt, was dieser Durchlauf berechnet hat; B ändert sich mit, falls beide gleich wären</translation>
    </message>
    <message>
        <source>Show this run in &amp;B</source>
        <translation>Diesen Durchlauf in &amp;B zeigen</translation>
    </message>
    <message>
        <source>Pane B shows what this run computed; A changes too if both would be the same</source>
        <translation>Bildfläche B zeigt, was dieser Durchlauf berechnet hat; A ändert sich mit, falls beide gleich wären</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ChartPage</name>
    <message>
        <source>Data: %1</source>
        <translation>Daten: %1</translation>
    </message>
    <message>
        <source>Data of the chart. Enter or a double click shows that run in B. Ctrl+C copies the selection.</source>
        <translation>Daten des Diagramms. Eingabetaste oder Doppelklick zeigt diesen Durchlauf in B. Strg+C kopiert die Auswahl.</translation>
    </message>
    <message>
        <source>Fewer notes</source>
        <translation>Weniger Hinweise</translation>
    </message>
    <message>
        <source>%1 more notes</source>
        <translation>%1 weitere Hinweise</translation>
    </message>
</context>
<context>
    <name>parallax::ui::CollapsibleSection</name>
    <message>
        <source>%1, section</source>
        <translation>%1, Abschnitt</translation>
    </message>
    <message>
        <source>Show or hide the section “%1”</source>
        <translation>Den Abschnitt „%1“ zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Offen</translation>
    </message>
    <message>
        <source>Closed</source>
        <translation>Geschlossen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Befehle suchen</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Type a few letters of a command, its menu or its shortcut. Arrow keys select, Enter runs, Esc closes.</source>
        <translation>Einige Buchstaben eines Befehls, seines Menüs oder seines Tastenkürzels eingeben. Pfeiltasten wählen aus, die Eingabetaste führt aus, Esc schließt.</translation>
    </message>
    <message>
        <source>No matching command</source>
        <translation>Kein passender Befehl</translation>
    </message>
    <message>
        <source>Not available now: %1</source>
        <translation>Jetzt nicht verfügbar: %1</translation>
    </message>
    <message>
        <source>Type a command, kernel, preset or file</source>
        <translation>Befehl, Kern, Voreinstellung oder Datei eingeben</translation>
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
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>Verhältnis</translation>
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
        <source>ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <source>%1: %2 before, %3 now, %4 (%5 – %6), %7</source>
        <translation>%1: vorher %2, jetzt %3, %4 (%5 – %6), %7</translation>
    </message>
    <message>
        <source>Current compute time divided by that of the selected past run, with 95 % intervals. Bars left of the line are faster than before.</source>
        <translation>Aktuelle Rechenzeit geteilt durch die des gewählten früheren Durchlaufs, mit 95-%-Intervallen. Balken links der Linie sind schneller als zuvor.</translation>
    </message>
    <message>
        <source>History

The two runs have no backend in common.</source>
        <translation>Verlauf

Die beiden Durchläufe haben kein Backend gemeinsam.</translation>
    </message>
    <message>
        <source>Median compute time of the past run</source>
        <translation>Median der Rechenzeit des früheren Durchlaufs</translation>
    </message>
    <message>
        <source>Median compute time</source>
        <translation>Median der Rechenzeit</translation>
    </message>
    <message>
        <source>Current time divided by previous time</source>
        <translation>Aktuelle Zeit geteilt durch vorherige Zeit</translation>
    </message>
    <message>
        <source>Judged by the 99 % interval; changes within 2 % count as same</source>
        <translation>Nach dem 99-%-Intervall beurteilt; Änderungen bis 2 % gelten als gleich</translation>
    </message>
    <message>
        <source>Time relative to %1</source>
        <translation>Zeit relativ zu %1</translation>
    </message>
    <message>
        <source>History

Select a past run and press Compare, or tick baselines, to see which backends became faster or slower.</source>
        <translation>Verlauf

Einen früheren Lauf auswählen und „Vergleichen“ drücken, oder Bezugsmessungen ankreuzen, um zu sehen, welche Backends schneller oder langsamer geworden sind.</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Whether the result has the same bits, by its SHA-256</source>
        <translation>Ob das Ergebnis dieselben Bits hat, nach seiner SHA-256-Prüfsumme</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Bezug</translation>
    </message>
    <message>
        <source>The past run</source>
        <translation>Der frühere Lauf</translation>
    </message>
    <message>
        <source>Time relative to %1 baselines</source>
        <translation>Zeit relativ zu %1 Bezugsmessungen</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>same bits</source>
        <translation>dieselben Bits</translation>
    </message>
    <message>
        <source>other bits</source>
        <translation>andere Bits</translation>
    </message>
</context>
<context>
    <name>parallax::ui::CompareView</name>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
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
        <source>computing …</source>
        <translation>wird berechnet …</translation>
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
        <source> · PSNR %1 dB against the original</source>
        <translation> · PSNR %1 dB gegen das Original</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>Relativ</translation>
    </message>
    <message>
        <source>The image before processing.</source>
        <translation>Das Bild vor der Verarbeitung.</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>✗ %1 samples differ from the reference in NaN or infinity</source>
        <translation>✗ %1 Werte unterscheiden sich in NaN oder Unendlich von der Referenz</translation>
    </message>
    <message>
        <source>error %1 against reference, inconclusive: the tolerance allows any result</source>
        <translation>Fehler %1 gegen die Referenz, nicht aussagekräftig: Die Toleranz lässt jedes Ergebnis zu</translation>
    </message>
    <message>
        <source>✓ %1 ambiguous samples near a threshold differ from the reference, by up to %2</source>
        <translation>✓ %1 mehrdeutige Werte nahe einer Schwelle weichen von der Referenz ab, um bis zu %2</translation>
    </message>
    <message>
        <source>✗ error %1 against reference in %2 alone (allowed %3)</source>
        <translation>✗ Fehler %1 gegen die Referenz in %2 allein (erlaubt %3)</translation>
    </message>
    <message>
        <source>✓ error %1 against reference in %2 alone</source>
        <translation>✓ Fehler %1 gegen die Referenz in %2 allein</translation>
    </message>
    <message>
        <source>all steps off (original)</source>
        <translation>alle Schritte aus (Original)</translation>
    </message>
    <message>
        <source>this run: %1 · %2</source>
        <translation>dieser Durchlauf: %1 · %2</translation>
    </message>
    <message>
        <source>%1 compute, %2 end to end</source>
        <translation>Rechnen %1, gesamt %2</translation>
    </message>
    <message>
        <source>PSNR %1 dB</source>
        <translation>PSNR %1 dB</translation>
    </message>
    <message>
        <source>%2 − %1</source>
        <translation>%2 − %1</translation>
    </message>
    <message>
        <source>|%2 − %1|</source>
        <translation>|%2 − %1|</translation>
    </message>
    <message>
        <source>(%2 − %1)²</source>
        <translation>(%2 − %1)²</translation>
    </message>
    <message>
        <source>%1 left of the line, %2 right of it. Drag the line, or move it with comma and full stop.</source>
        <translation>%1 links der Linie, %2 rechts davon. Die Linie ziehen oder mit Komma und Punkt verschieben.</translation>
    </message>
    <message>
        <source>Result %1. Scroll to zoom, drag to pan, double-click to fit.</source>
        <translation>Ergebnis %1. Mausrad zoomt, Ziehen verschiebt, Doppelklick passt ein.</translation>
    </message>
    <message>
        <source>Wipe: %1 left, %2 right</source>
        <translation>Wischen: %1 links, %2 rechts</translation>
    </message>
    <message>
        <source>[B] flips to %1</source>
        <translation>[B] wechselt zu %1</translation>
    </message>
    <message>
        <source>%1 ran %2</source>
        <translation>%1 führte %2 aus</translation>
    </message>
    <message>
        <source>No difference: %1</source>
        <translation>Keine Differenz: %1</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>This is a volume. Open it to see its planes.</source>
        <translation>Dies ist ein Volumen. Geöffnet zeigt es seine Ebenen.</translation>
    </message>
    <message>
        <source>This is an image. Open it to see it.</source>
        <translation>Dies ist ein Bild. Es muss geöffnet werden, um sichtbar zu sein.</translation>
    </message>
    <message>
        <source>reference pane</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>FLIP</source>
        <translation>FLIP</translation>
    </message>
    <message>
        <source>1 − SSIM</source>
        <translation>1 − SSIM</translation>
    </message>
    <message>
        <source>%1 (first run)</source>
        <translation>%1 (erster Lauf)</translation>
    </message>
    <message>
        <source>, first run: includes loading and initialisation</source>
        <translation>, erster Lauf: mit Laden und Initialisieren</translation>
    </message>
    <message>
        <source>Difference of %1 and %2 in the channel where it is largest, displayed as chosen in the Inspector. Signed: blue is negative, orange positive. Otherwise lighter means larger. Red or green: beyond the range.</source>
        <translation>Differenz von %1 und %2 im Kanal, in dem sie am größten ist, dargestellt wie im Inspektor gewählt. Mit Vorzeichen: Blau ist negativ, Orange positiv. Sonst bedeutet heller größer. Rot oder Grün: außerhalb des Bereichs.</translation>
    </message>
    <message>
        <source>encoded values</source>
        <translation>kodierte Werte</translation>
    </message>
    <message>
        <source>residual %1</source>
        <translation>Residuum %1</translation>
    </message>
    <message>
        <source>refining …</source>
        <translation>wird verfeinert …</translation>
    </message>
    <message>
        <source>First picture</source>
        <translation>Erstes Bild</translation>
    </message>
    <message>
        <source>First picture, %1</source>
        <translation>Erstes Bild, %1</translation>
    </message>
    <message>
        <source>%1, refining …</source>
        <translation>%1, wird verfeinert …</translation>
    </message>
    <message>
        <source>This is a volume. Its planes are shown while result A is a volume, too.</source>
        <translation>Dies ist ein Volumen. Seine Ebenen werden gezeigt, solange auch Ergebnis A ein Volumen ist.</translation>
    </message>
    <message>
        <source> · %1 in scratch files</source>
        <translation> · %1 in Auslagerungsdateien</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Comparison</name>
    <message>
        <source>Computing %1 with %2</source>
        <translation>%1 wird mit %2 berechnet</translation>
    </message>
    <message>
        <source>Checking against the reference</source>
        <translation>Ergebnis wird gegen die Referenz geprüft</translation>
    </message>
    <message>
        <source>Checking each step of %1 against the reference</source>
        <translation>Jeder Schritt von %1 wird gegen die Referenz geprüft</translation>
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
        <source>%1 has no result</source>
        <translation>%1 hat kein Ergebnis</translation>
    </message>
    <message>
        <source>Comparing %1 and %2</source>
        <translation>%1 und %2 werden verglichen</translation>
    </message>
    <message>
        <source>%1 and %2 have different channels</source>
        <translation>%1 und %2 haben verschiedene Kanäle</translation>
    </message>
    <message>
        <source>%1 is %2, %3 is %4</source>
        <translation>%1 hat %2, %3 hat %4</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ContactSheetBar</name>
    <message>
        <source>Contact sheet</source>
        <translation>Kontaktbogen</translation>
    </message>
    <message>
        <source>Contact sheet · %1: %2</source>
        <translation>Kontaktbogen · %1: %2</translation>
    </message>
    <message>
        <source>Double-click a picture, or press Enter in it, to use its steps.</source>
        <translation>Ein Doppelklick auf ein Bild oder die Eingabetaste übernimmt seine Schritte.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ContactSheetDialog</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Step of the pipeline that is varied</source>
        <translation>Schritt der Pipeline, der variiert wird</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Parameter that has another value in each picture</source>
        <translation>Parameter, der in jedem Bild einen anderen Wert hat</translation>
    </message>
    <message>
        <source>Spacing</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Equal distances or equal ratios between values</source>
        <translation>Gleiche Abstände oder gleiche Verhältnisse zwischen den Werten</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>First value</source>
        <translation>Erster Wert</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>Last value</source>
        <translation>Letzter Wert</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Values of the pictures, separated by semicolons or blanks</source>
        <translation>Werte der Bilder, getrennt durch Semikolons oder Leerzeichen</translation>
    </message>
    <message>
        <source>Number of values</source>
        <translation>Anzahl der Werte</translation>
    </message>
    <message>
        <source>Number of pictures</source>
        <translation>Anzahl der Bilder</translation>
    </message>
    <message>
        <source>Up to %1 values, one picture each</source>
        <translation>Bis zu %1 Werte, je ein Bild</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Contact sheet</source>
        <translation>Kontaktbogen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation>&amp;Schritt</translation>
    </message>
    <message>
        <source>&amp;Parameter</source>
        <translation>&amp;Parameter</translation>
    </message>
    <message>
        <source>&amp;Range</source>
        <translation>&amp;Bereich</translation>
    </message>
    <message>
        <source>&amp;Values</source>
        <translation>&amp;Werte</translation>
    </message>
    <message>
        <source>V&amp;alues</source>
        <translation>W&amp;erte</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>Logarithmisch</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>No step has a parameter that can be varied</source>
        <translation>Kein Schritt hat einen Parameter, der variiert werden kann</translation>
    </message>
    <message>
        <source>Not with the other parameters of this step</source>
        <translation>Nicht mit den anderen Parametern dieses Schritts</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ConvergenceChart</name>
    <message>
        <source>%1 (step %2, %3)</source>
        <translation>%1 (Schritt %2, %3)</translation>
    </message>
    <message>
        <source>Convergence

Add an iterative step (%1) and press Benchmark to see its residual after each iteration.</source>
        <translation>Konvergenz

Einen iterativen Schritt hinzufügen (%1) und auf „Benchmark“ klicken, um sein Residuum nach jeder Iteration zu sehen.</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>One of several solves of a run</source>
        <translation>Eine von mehreren Lösungen eines Durchlaufs</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>Recorded values, the initial one included</source>
        <translation>Aufgezeichnete Werte, einschließlich des Anfangswerts</translation>
    </message>
    <message>
        <source>At the last point</source>
        <translation>Am letzten Punkt</translation>
    </message>
    <message>
        <source>First</source>
        <translation>Erster</translation>
    </message>
    <message>
        <source>Value before the first iteration</source>
        <translation>Wert vor der ersten Iteration</translation>
    </message>
    <message>
        <source>Last</source>
        <translation>Letzter</translation>
    </message>
    <message>
        <source>Value at the last point</source>
        <translation>Wert am letzten Punkt</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Reason for the end</source>
        <translation>Grund des Endes</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>%1 is still running.</source>
        <translation>%1 läuft noch.</translation>
    </message>
    <message>
        <source>The horizontal axis is logarithmic, since the runs differ much in length.</source>
        <translation>Die waagerechte Achse ist logarithmisch, da die Durchläufe sehr verschieden lang sind.</translation>
    </message>
    <message>
        <source>tolerance %1</source>
        <translation>Toleranz %1</translation>
    </message>
    <message>
        <source>tolerance %1 (%2)</source>
        <translation>Toleranz %1 (%2)</translation>
    </message>
    <message>
        <source>%1
%2: %3
%4: %5</source>
        <translation>%1
%2: %3
%4: %5</translation>
    </message>
    <message>
        <source>Convergence chart</source>
        <translation>Konvergenzdiagramm</translation>
    </message>
    <message>
        <source>Residual of iterative operations after each iteration of their first run, per backend. The dashed line is the tolerance at which a run ends. Double-click a point, or select it with the arrow keys and press Enter, to show that run in B.</source>
        <translation>Residuum iterativer Operationen nach jeder Iteration ihres ersten Durchlaufs, je Backend. Die gestrichelte Linie ist die Toleranz, bei der ein Durchlauf endet. Doppelklick auf einen Punkt oder Auswahl mit den Pfeiltasten und die Eingabetaste zeigt diesen Durchlauf in B.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::CurveParameter</name>
    <message>
        <source>Edit curve …</source>
        <translation>Kurve bearbeiten …</translation>
    </message>
    <message>
        <source>Edit %1 as curve</source>
        <translation>%1 als Kurve bearbeiten</translation>
    </message>
    <message>
        <source>Edit the nodes over the histogram of the input, with presets for CT</source>
        <translation>Bearbeitet die Stützstellen über dem Histogramm des Eingangs, mit Voreinstellungen für CT</translation>
    </message>
</context>
<context>
    <name>parallax::ui::DeviceBadge</name>
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
    <message>
        <source>Backends and devices</source>
        <translation>Backends und Geräte</translation>
    </message>
    <message>
        <source>Backend and device that computed each result. Parallax never substitutes another backend silently.</source>
        <translation>Backend und Gerät, die das jeweilige Ergebnis berechnet haben. Parallax ersetzt ein Backend nie stillschweigend durch ein anderes.</translation>
    </message>
    <message>
        <source> – cancelled</source>
        <translation> – abgebrochen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::DifferencePanel</name>
    <message>
        <source>Structural similarity (Wang et al. 2004), 1 if equal: 11 × 11 Gaussian window of sigma 1.5, K1 = 0.01, K2 = 0.03.</source>
        <translation>Strukturelle Ähnlichkeit (Wang et al. 2004), 1 bei Gleichheit: Gauß-Fenster 11 × 11 mit Sigma 1,5, K1 = 0,01, K2 = 0,03.</translation>
    </message>
    <message>
        <source>Mean HDR-FLIP (Andersson et al. 2021), 0 if equal: the largest FLIP of each pixel over %1 exposures from %2 to %3 EV, at %4 pixels per degree.</source>
        <translation>Mittleres HDR-FLIP (Andersson et al. 2021), 0 bei Gleichheit: das größte FLIP jedes Pixels über %1 Belichtungen von %2 bis %3 EV, bei %4 Pixeln pro Grad.</translation>
    </message>
    <message>
        <source>Mean FLIP (Andersson et al. 2020), 0 if equal: the difference that is seen when flipping between both, at %1 pixels per degree, colours clamped to 0 to 1.</source>
        <translation>Mittleres FLIP (Andersson et al. 2020), 0 bei Gleichheit: der Unterschied, den man beim Wechsel zwischen beiden sieht, bei %1 Pixeln pro Grad, Farben auf 0 bis 1 begrenzt.</translation>
    </message>
    <message>
        <source>Weighted median %1, quartiles %2 to %3, max %4</source>
        <translation>Gewichteter Median %1, Quartile %2 bis %3, max. %4</translation>
    </message>
    <message>
        <source>Copy metrics</source>
        <translation>Metriken kopieren</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größte</translation>
    </message>
    <message>
        <source>Largest magnitude of the difference over all channels</source>
        <translation>Größter Betrag der Differenz über alle Kanäle</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Mean magnitude of the difference over all channels</source>
        <translation>Mittlerer Betrag der Differenz über alle Kanäle</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>RMSE</translation>
    </message>
    <message>
        <source>Root of the mean squared difference</source>
        <translation>Wurzel der mittleren quadratischen Differenz</translation>
    </message>
    <message>
        <source>Relative L2</source>
        <translation>Relative L2</translation>
    </message>
    <message>
        <source>Euclidean norm of the difference divided by that of the reference</source>
        <translation>Euklidische Norm der Differenz geteilt durch die der Referenz</translation>
    </message>
    <message>
        <source>PSNR</source>
        <translation>PSNR</translation>
    </message>
    <message>
        <source>Peak signal-to-noise ratio; the peak is the largest finite magnitude of the reference</source>
        <translation>Spitzen-Signal-Rausch-Verhältnis; die Spitze ist der größte endliche Betrag der Referenz</translation>
    </message>
    <message>
        <source>SSIM</source>
        <translation>SSIM</translation>
    </message>
    <message>
        <source>Computed from the luminance as a display shows it: clamped to 0 to 1, sRGB.</source>
        <translation>Berechnet aus der Leuchtdichte, wie ein Bildschirm sie zeigt: auf 0 bis 1 begrenzt, sRGB.</translation>
    </message>
    <message>
        <source>SSIM, linear</source>
        <translation>SSIM, linear</translation>
    </message>
    <message>
        <source>FLIP</source>
        <translation>FLIP</translation>
    </message>
    <message>
        <source>Largest ULP distance</source>
        <translation>Größter ULP-Abstand</translation>
    </message>
    <message>
        <source>Border / interior</source>
        <translation>Rand / Inneres</translation>
    </message>
    <message>
        <source>Largest difference in the frame of pixels that the border mode influences, and inside of it</source>
        <translation>Größte Differenz im Rahmen der Pixel, die der Randmodus beeinflusst, und innerhalb davon</translation>
    </message>
    <message>
        <source>NaN or infinity differs</source>
        <translation>NaN oder Unendlich verschieden</translation>
    </message>
    <message>
        <source>Samples that are NaN or infinite in one result only</source>
        <translation>Werte, die nur in einem Ergebnis NaN oder unendlich sind</translation>
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
        <source>computing …</source>
        <translation>wird berechnet …</translation>
    </message>
    <message>
        <source>Computed from the linear luminance, with the range %1 of the reference.</source>
        <translation>Berechnet aus der linearen Leuchtdichte, mit dem Bereich %1 der Referenz.</translation>
    </message>
    <message>
        <source>Computed from the samples, with the range %1 of the reference.</source>
        <translation>Berechnet aus den Werten, mit dem Bereich %1 der Referenz.</translation>
    </message>
    <message>
        <source>HDR-FLIP</source>
        <translation>HDR-FLIP</translation>
    </message>
    <message>
        <source>FLIP compares colours as an observer sees them; these samples are measurements or other channels.</source>
        <translation>FLIP vergleicht Farben, wie ein Betrachter sie sieht; diese Werte sind Messwerte oder andere Kanäle.</translation>
    </message>
    <message>
        <source>Steps between neighbouring floating-point numbers from one sample to the other.</source>
        <translation>Schritte zwischen benachbarten Gleitkommazahlen von einem Wert zum anderen.</translation>
    </message>
    <message>
        <source>%1 equal, %2 within 1, %3 within 4, %4 within 256</source>
        <translation>%1 gleich, %2 innerhalb von 1, %3 innerhalb von 4, %4 innerhalb von 256</translation>
    </message>
    <message>
        <source>Previous result. Computing …</source>
        <translation>Voriges Ergebnis. Wird berechnet …</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>Wird berechnet …</translation>
    </message>
    <message>
        <source>No comparison yet</source>
        <translation>Noch kein Vergleich</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Document</name>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>Choose another one under Volume in the Inspector</source>
        <translation>Im Inspektor unter „Volumen“ ein anderes wählen</translation>
    </message>
    <message>
        <source>Opened with warnings</source>
        <translation>Mit Warnungen geöffnet</translation>
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
        <source>Choose another one under Page in the Inspector</source>
        <translation>Im Inspektor unter „Seite“ eine andere wählen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::EmptyState</name>
    <message>
        <source>Open an image to begin</source>
        <translation>Zum Start ein Bild öffnen</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Generate …</source>
        <translation>Erzeugen …</translation>
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
    <message>
        <source>Drop a file here or choose one. Two backends process it side by side,
and Parallax shows their difference and their times.</source>
        <translation>Eine Datei hier ablegen oder auswählen. Zwei Backends verarbeiten sie nebeneinander,
und Parallax zeigt Differenz und Zeiten.</translation>
    </message>
    <message>
        <source>Open sample</source>
        <translation>Beispiel öffnen</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Open the pinned file %1</source>
        <translation>Angeheftete Datei %1 öffnen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::EnergyChart</name>
    <message>
        <source>Energy of the sub-bands</source>
        <translation>Energie der Teilbänder</translation>
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
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>Effektivwert</translation>
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
        <source>Gain</source>
        <translation>Verstärkung</translation>
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
    <message>
        <source>Sum of squared coefficients of each sub-band, on a logarithmic scale. If an operation changes them, the original is shown beside the result. Click a bar to show this sub-band alone in the mosaic; right-click to copy or save.</source>
        <translation>Summe der quadrierten Koeffizienten jedes Teilbands, auf logarithmischer Skala. Ändert eine Operation sie, steht das Original neben dem Ergebnis. Klick auf einen Balken zeigt im Mosaik nur dieses Teilband; Rechtsklick zum Kopieren oder Speichern.</translation>
    </message>
    <message>
        <source>Energy

Add a wavelet step to see the energy of its sub-bands.</source>
        <translation>Energie

Einen Wavelet-Schritt hinzufügen, um die Energie seiner Teilbänder zu sehen.</translation>
    </message>
    <message>
        <source>Sum of squared coefficients</source>
        <translation>Summe der quadrierten Koeffizienten</translation>
    </message>
    <message>
        <source>Gain of the display; data never change</source>
        <translation>Verstärkung der Anzeige; Daten ändern sich nie</translation>
    </message>
    <message>
        <source>Share of the energy of all sub-bands</source>
        <translation>Anteil an der Energie aller Teilbänder</translation>
    </message>
    <message>
        <source>Root mean square of the coefficients</source>
        <translation>Quadratisches Mittel der Koeffizienten</translation>
    </message>
    <message>
        <source>Share of coefficients that are zero</source>
        <translation>Anteil der Koeffizienten, die null sind</translation>
    </message>
</context>
<context>
    <name>parallax::ui::FileSaver</name>
    <message>
        <source>Saving %1</source>
        <translation>%1 wird gespeichert</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Filmstrip</name>
    <message>
        <source>Open files</source>
        <translation>Geöffnete Dateien</translation>
    </message>
    <message>
        <source>Open files: a click shows one, a right click compares or closes it</source>
        <translation>Geöffnete Dateien: Ein Klick zeigt eine, ein Rechtsklick vergleicht oder schließt sie</translation>
    </message>
    <message>
        <source>Position among the open files</source>
        <translation>Position unter den geöffneten Dateien</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Compare as &amp;B</source>
        <translation>Als &amp;B vergleichen</translation>
    </message>
    <message>
        <source>Compare in a &amp;new pane</source>
        <translation>In einer &amp;neuen Bildfläche vergleichen</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Schließen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::FullTable</name>
    <message>
        <source>Show all rows, or the first %1</source>
        <translation>Alle Zeilen zeigen oder die ersten %1</translation>
    </message>
    <message>
        <source>Show fewer</source>
        <translation>Weniger zeigen</translation>
    </message>
    <message>
        <source>Show all %1</source>
        <translation>Alle %1 zeigen</translation>
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
    <message>
        <source>Number of channels: 1 is grey, 3 colour, 4 colour and alpha</source>
        <translation>Anzahl der Kanäle: 1 ist Grau, 3 Farbe, 4 Farbe und Alpha</translation>
    </message>
    <message>
        <source>Seed of the random numbers: the same seed gives the same noise</source>
        <translation>Startwert der Zufallszahlen: derselbe Startwert ergibt dasselbe Rauschen</translation>
    </message>
    <message>
        <source>Generate image</source>
        <translation>Bild erzeugen</translation>
    </message>
    <message>
        <source>Test pattern (reproducible)</source>
        <translation>Testmuster (reproduzierbar)</translation>
    </message>
</context>
<context>
    <name>parallax::ui::HistogramPanel</name>
    <message>
        <source>Original</source>
        <translation>Original</translation>
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
        <source>Scale of values</source>
        <translation>Skala der Werte</translation>
    </message>
    <message>
        <source>whole image</source>
        <translation>ganzes Bild</translation>
    </message>
    <message>
        <source>selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Part of the image</source>
        <translation>Teil des Bildes</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
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
        <source>pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>shown, %</source>
        <translation>gezeigt, %</translation>
    </message>
    <message>
        <source>Window and level</source>
        <translation>Fenster und Lage</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Level %1, width %2: from %3 to %4</source>
        <translation>Lage %1, Breite %2: von %3 bis %4</translation>
    </message>
    <message>
        <source>Counts the channels of each pixel, or its luminance by Rec. 709. Automatic: the luminance, on a logarithmic axis, while a step has a curve to draw over it.</source>
        <translation>Zählt die Kanäle jedes Pixels oder seine Leuchtdichte nach Rec. 709. Automatisch: die Leuchtdichte auf logarithmischer Achse, solange ein Schritt eine Kurve hat, die sich darüberlegen lässt.</translation>
    </message>
    <message>
        <source>Counted values</source>
        <translation>Gezählte Werte</translation>
    </message>
    <message>
        <source>Scale of the value axis. Automatic: logarithmic when values reach far above 1.</source>
        <translation>Skala der Wertachse. Automatisch: logarithmisch, wenn Werte weit über 1 reichen.</translation>
    </message>
    <message>
        <source>visible part</source>
        <translation>sichtbarer Teil</translation>
    </message>
    <message>
        <source>Pixels to count. Without a selection, all pixels are counted.</source>
        <translation>Zu zählende Pixel. Ohne Auswahl werden alle Pixel gezählt.</translation>
    </message>
    <message>
        <source>Logarithmic count axis; makes rare values visible</source>
        <translation>Logarithmische Achse der Anzahl; macht seltene Werte sichtbar</translation>
    </message>
    <message>
        <source>Minimum, maximum and mean of the finite samples per channel, and the number of NaN and infinite samples</source>
        <translation>Minimum, Maximum und Mittel der endlichen Werte je Kanal sowie die Anzahl der Werte, die NaN oder unendlich sind</translation>
    </message>
    <message>
        <source>Transfer curve of the step</source>
        <translation>Übertragungskurve des Schritts</translation>
    </message>
    <message>
        <source>Values shown from black to white: the shaded range in the histogram, with a dotted line at its level</source>
        <translation>Von Schwarz bis Weiß gezeigte Werte: der schattierte Bereich im Histogramm, mit einer gepunkteten Linie an seiner Lage</translation>
    </message>
    <message>
        <source>No samples</source>
        <translation>Keine Werte</translation>
    </message>
    <message>
        <source>Log counts</source>
        <translation>Anzahl logarithmisch</translation>
    </message>
    <message>
        <source>Reset levels</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>Value axis</source>
        <translation>Werteachse</translation>
    </message>
    <message>
        <source>Reset exposure and offset of the view, the values displayed as black and white</source>
        <translation>Belichtung und Versatz der Ansicht zurücksetzen, also die als Schwarz und Weiß dargestellten Werte</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Image of the histogram: the result of the active pane, or its input while the first step has a curve to draw over it; the original; or the result of one pane</source>
        <translation>Bild des Histogramms: das Ergebnis der aktiven Bildfläche oder ihre Eingabe, solange der erste Schritt eine Kurve darüber hat; das Original; oder das Ergebnis einer Bildfläche</translation>
    </message>
    <message>
        <source>Active pane (input of %1)</source>
        <translation>Aktive Bildfläche (Eingabe von %1)</translation>
    </message>
    <message>
        <source>Active pane (%1)</source>
        <translation>Aktive Bildfläche (%1)</translation>
    </message>
    <message>
        <source>Curve of %1: %2 → %3</source>
        <translation>Kurve von %1: %2 → %3</translation>
    </message>
    <message>
        <source>Frequency of values per channel. The marks show the values displayed as black and white; drag them to set exposure and offset of the view. Esc cancels a drag, Undo reverts it, a double click on a mark resets both. Data never change. The thick line is the transfer curve of a step, with its axis on the right.</source>
        <translation>Häufigkeit der Werte je Kanal. Die Marken zeigen die Werte, die schwarz und weiß dargestellt werden; Ziehen stellt Belichtung und Versatz der Ansicht ein. Esc bricht das Ziehen ab, „Rückgängig“ nimmt es zurück, ein Doppelklick auf eine Marke setzt beide zurück. Daten ändern sich nie. Die dicke Linie ist die Übertragungskurve eines Schritts, mit ihrer Achse rechts.</translation>
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
        <source>Open report …</source>
        <translation>Bericht öffnen …</translation>
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
        <source>%1, %2 points</source>
        <translation>%1, %2 Punkte</translation>
    </message>
    <message>
        <source>Reports (*.json)</source>
        <translation>Berichte (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Finished benchmarks and sweeps, newest first. Enter or a double click shows one.</source>
        <translation>Abgeschlossene Benchmarks und Messreihen, die neuesten zuerst. Eingabetaste oder Doppelklick zeigt den Eintrag an.</translation>
    </message>
    <message>
        <source>Show this run in all charts, labelled as an earlier run</source>
        <translation>Diesen Durchlauf in allen Diagrammen zeigen, als früheren Durchlauf gekennzeichnet</translation>
    </message>
    <message>
        <source>Remove this run from the history; exported reports are kept</source>
        <translation>Diesen Durchlauf aus dem Verlauf entfernen; exportierte Berichte bleiben erhalten</translation>
    </message>
    <message>
        <source>Open a JSON report from another place or machine and add it to the history</source>
        <translation>Einen JSON-Bericht von einem anderen Ort oder Rechner öffnen und in den Verlauf aufnehmen</translation>
    </message>
    <message>
        <source>Open report</source>
        <translation>Bericht öffnen</translation>
    </message>
    <message>
        <source>Compare the run that the charts show with this one as the baseline; not for that run itself</source>
        <translation>Den in den Diagrammen gezeigten Durchlauf mit diesem als Bezug vergleichen; nicht für denselben Durchlauf</translation>
    </message>
    <message>
        <source>Save …</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Rename …</source>
        <translation>Umbenennen …</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Baselines</source>
        <translation>Bezugsmessungen</translation>
    </message>
    <message>
        <source>Saved results. The chart compares the result that the charts show with each ticked one.</source>
        <translation>Gespeicherte Messungen. Das Diagramm vergleicht die gezeigte Messung mit jeder angekreuzten.</translation>
    </message>
    <message>
        <source>Save the selected past run, or the result that the charts show, under a name to compare others with</source>
        <translation>Den gewählten früheren Lauf oder die gezeigte Messung unter einem Namen speichern, um andere damit zu vergleichen</translation>
    </message>
    <message>
        <source>Give the selected baseline another name</source>
        <translation>Der gewählten Bezugsmessung einen anderen Namen geben</translation>
    </message>
    <message>
        <source>Delete the selected baseline; the history keeps its run</source>
        <translation>Die gewählte Bezugsmessung löschen; der Verlauf behält ihren Lauf</translation>
    </message>
    <message>
        <source>Save baseline</source>
        <translation>Bezugsmessung speichern</translation>
    </message>
    <message>
        <source>Name of the baseline</source>
        <translation>Name der Bezugsmessung</translation>
    </message>
    <message>
        <source>Rename baseline</source>
        <translation>Bezugsmessung umbenennen</translation>
    </message>
    <message>
        <source>New name of “%1”</source>
        <translation>Neuer Name von „%1“</translation>
    </message>
    <message>
        <source>Past runs and comparison</source>
        <translation>Frühere Läufe und Vergleich</translation>
    </message>
    <message>
        <source>Past runs of window and command line, and their comparison with the charts</source>
        <translation>Frühere Läufe von Fenster und Kommandozeile und ihr Vergleich mit den Diagrammen</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Numbers and notes</source>
        <translation>Zahlen und Hinweise</translation>
    </message>
    <message>
        <source>Time of the measurement, and the report that the run was opened from</source>
        <translation>Zeitpunkt der Messung und der Bericht, aus dem der Lauf geöffnet wurde</translation>
    </message>
    <message>
        <source>%1
Backends: %2
Machine: %3</source>
        <translation>%1
Backends: %2
Rechner: %3</translation>
    </message>
</context>
<context>
    <name>parallax::ui::InputStore</name>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
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
        <source>Pixel</source>
        <translation>Pixel</translation>
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
    <message>
        <source>Number format</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>Linear: the data. Display: the 8-bit value on the screen after exposure, offset and encoding. Hex: the same in hexadecimal.</source>
        <translation>Linear: die Daten. Anzeige: der 8-Bit-Wert auf dem Bildschirm nach Belichtung, Versatz und Kodierung. Hex: derselbe Wert, hexadezimal.</translation>
    </message>
    <message>
        <source>Samples at the cursor</source>
        <translation>Werte am Mauszeiger</translation>
    </message>
    <message>
        <source>Linear samples at the cursor. NaN and infinity are shown as such.</source>
        <translation>Lineare Werte am Mauszeiger. NaN und Unendlich werden als solche gezeigt.</translation>
    </message>
    <message>
        <source>Metadata of the file. Ctrl+C copies the selection.</source>
        <translation>Metadaten der Datei. Strg+C kopiert die Auswahl.</translation>
    </message>
    <message>
        <source>Point at an image</source>
        <translation>Auf ein Bild zeigen</translation>
    </message>
    <message>
        <source>Difference %1 − %2</source>
        <translation>Differenz %1 − %2</translation>
    </message>
    <message>
        <source>FLIP %1</source>
        <translation>FLIP %1</translation>
    </message>
    <message>
        <source>1 − SSIM %1</source>
        <translation>1 − SSIM %1</translation>
    </message>
    <message>
        <source>relative %1</source>
        <translation>relativ %1</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
</context>
<context>
    <name>parallax::ui::KernelEditor</name>
    <message>
        <source>Weight in row %1, column %2</source>
        <translation>Gewicht in Zeile %1, Spalte %2</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Sum and rank</source>
        <translation>Summe und Rang</translation>
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
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
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
    <message>
        <source>Edit kernel</source>
        <translation>Kern bearbeiten</translation>
    </message>
    <message>
        <source>No weights yet. This kernel leaves the image unchanged.</source>
        <translation>Noch keine Gewichte. Dieser Kern lässt das Bild unverändert.</translation>
    </message>
    <message>
        <source>The weights could not be read and have been replaced by the identity: %1.</source>
        <translation>Die Gewichte waren nicht lesbar und wurden durch die Identität ersetzt: %1.</translation>
    </message>
    <message>
        <source>Edit an element, or paste a matrix from NumPy, MATLAB or ImageJ. Rows and columns are counted from 0.</source>
        <translation>Ein Element bearbeiten oder eine Matrix aus NumPy, MATLAB oder ImageJ einfügen. Zeilen und Spalten werden ab 0 gezählt.</translation>
    </message>
    <message>
        <source>Sum of the weights and rank of the matrix. Rank 1 means separable: backends can filter in two fast passes. The rank counts singular values above float precision.</source>
        <translation>Summe der Gewichte und Rang der Matrix. Rang 1 bedeutet separierbar: Backends können in zwei schnellen Durchgängen filtern. Der Rang zählt Singulärwerte über der float-Genauigkeit.</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Use these weights</source>
        <translation>Diese Gewichte verwenden</translation>
    </message>
    <message>
        <source>Discard all changes</source>
        <translation>Alle Änderungen verwerfen</translation>
    </message>
    <message>
        <source>Replace the weights by a built-in kernel of about this size</source>
        <translation>Die Gewichte durch einen mitgelieferten Kern etwa dieser Größe ersetzen</translation>
    </message>
    <message>
        <source>Rotate by 90 degrees clockwise</source>
        <translation>Um 90 Grad im Uhrzeigersinn drehen</translation>
    </message>
    <message>
        <source>Divide by the sum to preserve brightness; unavailable if the sum is 0</source>
        <translation>Durch die Summe teilen, um die Helligkeit zu erhalten; bei der Summe 0 nicht verfügbar</translation>
    </message>
    <message>
        <source>Replace the weights by the matrix on the clipboard: text from NumPy, MATLAB or ImageJ (Ctrl+V in the grid)</source>
        <translation>Die Gewichte durch die Matrix in der Zwischenablage ersetzen: Text aus NumPy, MATLAB oder ImageJ (Strg+V in der Tabelle)</translation>
    </message>
    <message>
        <source>Copy the weights to the clipboard, one row per line (Ctrl+C in the grid)</source>
        <translation>Die Gewichte in die Zwischenablage kopieren, jede Matrixzeile als eigene Textzeile (Strg+C in der Tabelle)</translation>
    </message>
    <message>
        <source>Not a matrix: %1. %2.</source>
        <translation>Keine Matrix: %1. %2.</translation>
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
        <source>Blue: below 0. Orange: above 0. The circle marks the centre, which is placed on the pixel unless an anchor is set.</source>
        <translation>Blau: unter 0. Orange: über 0. Der Kreis markiert die Mitte, die auf dem Pixel liegt, sofern kein Anker gesetzt ist.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::KernelWindow</name>
    <message>
        <source>, channel %1</source>
        <translation>, Kanal %1</translation>
    </message>
    <message>
        <source>%1: %2 instead of %3, where %4 is allowed</source>
        <translation>%1: %2 statt %3, wo %4 erlaubt ist</translation>
    </message>
    <message>
        <source>The smallest problem that fails:</source>
        <translation>Die kleinste Aufgabe, die misslingt:</translation>
    </message>
    <message>
        <source>Failures by step:</source>
        <translation>Misslungene je Schritt:</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Rechenkern</translation>
    </message>
    <message>
        <source>Kernel that is shown</source>
        <translation>Rechenkern, der gezeigt wird</translation>
    </message>
    <message>
        <source>Messages of the compiler, or problems that fail</source>
        <translation>Meldungen des Compilers oder Aufgaben, die misslingen</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Rechenkerne</translation>
    </message>
    <message>
        <source>Close this window; open kernels are still compiled when they are saved (Esc)</source>
        <translation>Dieses Fenster schließen; offene Rechenkerne werden weiter übersetzt, wenn sie gespeichert werden (Esc)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>Open the file in the editor of this desktop</source>
        <translation>Die Datei im Editor dieser Arbeitsumgebung öffnen</translation>
    </message>
    <message>
        <source>Compile &amp;again</source>
        <translation>&amp;Erneut übersetzen</translation>
    </message>
    <message>
        <source>Compile and check the kernel again</source>
        <translation>Den Rechenkern erneut übersetzen und prüfen</translation>
    </message>
    <message>
        <source>Use as &amp;B</source>
        <translation>Als B &amp;verwenden</translation>
    </message>
    <message>
        <source>Compute result B by this kernel, with its operation as the only step unless the steps have it</source>
        <translation>Ergebnis B mit diesem Rechenkern berechnen, mit seiner Operation als einzigem Schritt, falls die Schritte sie nicht enthalten</translation>
    </message>
    <message>
        <source>No kernel is open.</source>
        <translation>Kein Rechenkern ist geöffnet.</translation>
    </message>
    <message>
        <source>File &gt; New kernel writes one to begin with, and File &gt; Open kernel opens one.</source>
        <translation>Datei &gt; Neuer Rechenkern schreibt einen für den Anfang, Datei &gt; Rechenkern öffnen öffnet einen.</translation>
    </message>
    <message>
        <source>Version %1 is compiled …</source>
        <translation>Version %1 wird übersetzt …</translation>
    </message>
    <message>
        <source>Version %1 is compared with the reference …</source>
        <translation>Version %1 wird mit der Referenz verglichen …</translation>
    </message>
    <message>
        <source>Version %1: %2</source>
        <translation>Version %1: %2</translation>
    </message>
    <message>
        <source>Version %1 was not compared with the reference.</source>
        <translation>Version %1 wurde nicht mit der Referenz verglichen.</translation>
    </message>
    <message>
        <source>Version %1 agrees with the reference on all %2 problems.</source>
        <translation>Version %1 stimmt bei allen %2 Aufgaben mit der Referenz überein.</translation>
    </message>
    <message>
        <source>Version %1 disagrees with the reference on %2 of %3 problems.</source>
        <translation>Version %1 weicht bei %2 von %3 Aufgaben von der Referenz ab.</translation>
    </message>
    <message>
        <source>%1 computes %2; compiled in %3 s by %4.</source>
        <translation>%1 berechnet %2; in %3 s übersetzt mit %4.</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>Messages of the compiler and problems that fail appear here.</source>
        <translation>Hier erscheinen Meldungen des Compilers und Aufgaben, die misslingen.</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Changes of the selected version in the source</source>
        <translation>Änderungen der gewählten Version am Quelltext</translation>
    </message>
    <message>
        <source>Changes of the selected version appear here.</source>
        <translation>Hier erscheinen die Änderungen der gewählten Version.</translation>
    </message>
    <message>
        <source>Version %1 has the source of version %2.</source>
        <translation>Version %1 hat den Quelltext von Version %2.</translation>
    </message>
    <message>
        <source>Changes of version %1</source>
        <translation>Änderungen von Version %1</translation>
    </message>
    <message>
        <source>Messages and changes</source>
        <translation>Meldungen und Änderungen</translation>
    </message>
    <message>
        <source>Messages about the newest version, or changes of the selected one</source>
        <translation>Meldungen zur neuesten Version oder Änderungen der gewählten</translation>
    </message>
    <message>
        <source>Looking for memory errors …</source>
        <translation>Speicherfehler werden gesucht …</translation>
    </message>
    <message>
        <source>No memory errors.</source>
        <translation>Keine Speicherfehler.</translation>
    </message>
    <message>
        <source>Memory errors:</source>
        <translation>Speicherfehler:</translation>
    </message>
    <message>
        <source>Memory errors found.</source>
        <translation>Speicherfehler gefunden.</translation>
    </message>
    <message>
        <source>Find &amp;memory errors</source>
        <translation>&amp;Speicherfehler suchen</translation>
    </message>
    <message>
        <source>Find memory errors</source>
        <translation>Speicherfehler suchen</translation>
    </message>
    <message>
        <source>Check each version with AddressSanitizer (C++) or compute-sanitizer (CUDA), too, which names the line that uses memory wrongly. That takes longer; times are measured without it.</source>
        <translation>Prüft jede Version auch mit AddressSanitizer (C++) oder compute-sanitizer (CUDA), die die Zeile nennen, die Speicher falsch benutzt. Das dauert länger; Zeiten werden ohne sie gemessen.</translation>
    </message>
    <message>
        <source>Use %1 as B</source>
        <translation>%1 als B verwenden</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Kernels</name>
    <message>
        <source>Kernel %1</source>
        <translation>Rechenkern %1</translation>
    </message>
    <message>
        <source>Times of %1</source>
        <translation>Zeiten von %1</translation>
    </message>
    <message>
        <source>Memory errors of %1</source>
        <translation>Speicherfehler von %1</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
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
        <source>Preparing the view</source>
        <translation>Die Ansicht wird vorbereitet</translation>
    </message>
    <message>
        <source>Reading the history</source>
        <translation>Der Verlauf wird gelesen</translation>
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
        <source>Comparing with %1</source>
        <translation>Vergleich mit %1</translation>
    </message>
    <message>
        <source>Stopped after %1 of %2 points</source>
        <translation>Nach %1 von %2 Punkten beendet</translation>
    </message>
    <message>
        <source>Measuring the ceilings of this machine</source>
        <translation>Die Leistungsgrenzen dieses Rechners werden gemessen</translation>
    </message>
    <message>
        <source>Saving the measurement</source>
        <translation>Die Messung wird gespeichert</translation>
    </message>
    <message>
        <source>Nothing to compare with yet</source>
        <translation>Noch nichts zum Vergleichen</translation>
    </message>
    <message>
        <source>no benchmark has been run</source>
        <translation>es wurde kein Benchmark ausgeführt</translation>
    </message>
    <message>
        <source>no sweep of this kind has been run</source>
        <translation>es wurde keine Messreihe dieser Art ausgeführt</translation>
    </message>
    <message>
        <source>Measure first, or choose another past run</source>
        <translation>Zuerst messen oder einen anderen früheren Durchlauf wählen</translation>
    </message>
    <message>
        <source>This session, %1</source>
        <translation>Diese Sitzung, %1</translation>
    </message>
    <message>
        <source>Earlier run, %1</source>
        <translation>Früherer Durchlauf, %1</translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation>Nichts zu vergleichen</translation>
    </message>
    <message>
        <source>the charts show this very run</source>
        <translation>die Diagramme zeigen genau diesen Durchlauf</translation>
    </message>
    <message>
        <source>Measure again, or choose another past run</source>
        <translation>Neu messen oder einen anderen früheren Durchlauf wählen</translation>
    </message>
    <message>
        <source>Measure first</source>
        <translation>Zuerst messen</translation>
    </message>
    <message>
        <source>Reading the baselines</source>
        <translation>Bezugsmessungen werden gelesen</translation>
    </message>
    <message>
        <source>Saving the baseline %1</source>
        <translation>Bezugsmessung %1 wird gespeichert</translation>
    </message>
    <message>
        <source>Renaming the baseline %1</source>
        <translation>Bezugsmessung %1 wird umbenannt</translation>
    </message>
    <message>
        <source>Removing the baseline %1</source>
        <translation>Bezugsmessung %1 wird gelöscht</translation>
    </message>
</context>
<context>
    <name>parallax::ui::LapsChart</name>
    <message>
        <source>Parts of compute in one run</source>
        <translation>Teile von Rechnen in einem Durchlauf</translation>
    </message>
    <message>
        <source>time [%1]</source>
        <translation>Zeit [%1]</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>All times that the part ran, together</source>
        <translation>Alle Ausführungen des Teils zusammen</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Share of the compute time of this run</source>
        <translation>Anteil an der Rechenzeit dieses Durchlaufs</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>How often the part ran</source>
        <translation>Wie oft der Teil ausgeführt wurde</translation>
    </message>
    <message>
        <source>%1, %2: %3 of %4 (%5)</source>
        <translation>%1, %2: %3 von %4 (%5)</translation>
    </message>
    <message>
        <source>other</source>
        <translation>übrige</translation>
    </message>
    <message>
        <source>Bars cut off: %1.</source>
        <translation>Abgeschnittene Balken: %1.</translation>
    </message>
    <message>
        <source>The bars show parts below 3 % as other.</source>
        <translation>Die Balken zeigen Teile unter 3 % als übrige.</translation>
    </message>
    <message>
        <source>Parts

Add a step that measures its parts (%1) and press Benchmark to see what its compute time is spent on.</source>
        <translation>Teile

Einen Schritt hinzufügen, der seine Teile misst (%1), und auf „Benchmark“ klicken, um zu sehen, wofür seine Rechenzeit verwendet wird.</translation>
    </message>
    <message>
        <source>Chart of parts</source>
        <translation>Diagramm der Teile</translation>
    </message>
    <message>
        <source>Parts of the compute stage of the last timing sample, per backend, such as the passes of a solver. Double-click a bar, or press Enter, to show that run in B; right-click for more.</source>
        <translation>Teile des Rechnens im letzten Lauf der Messung, je Backend, etwa die Durchgänge eines Lösers. Doppelklick auf einen Balken oder die Eingabetaste zeigt diesen Durchlauf in B; ein Rechtsklick bietet mehr.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::LargeFileDialog</name>
    <message>
        <source>Large file</source>
        <translation>Große Datei</translation>
    </message>
    <message>
        <source>%1 unpacks to %2 or more.</source>
        <translation>%1 ist entpackt mindestens %2 groß.</translation>
    </message>
    <message>
        <source>That is more than 100 times its size. Open it only if you know where it comes from.</source>
        <translation>Das ist mehr als das 100-Fache ihrer Größe. Öffnen Sie sie nur, wenn Sie ihre Herkunft kennen.</translation>
    </message>
    <message>
        <source>&amp;Open anyway</source>
        <translation>Trotzdem ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Open the file if there is enough memory</source>
        <translation>Die Datei öffnen, wenn genug Speicher frei ist</translation>
    </message>
</context>
<context>
    <name>parallax::ui::LevelMarks</name>
    <message>
        <source>white %1</source>
        <translation>Weiß %1</translation>
    </message>
    <message>
        <source>black %1</source>
        <translation>Schwarz %1</translation>
    </message>
    <message>
        <source>Reset levels</source>
        <translation>Marken zurücksetzen</translation>
    </message>
    <message>
        <source>White point %1 → %2</source>
        <translation>Weißpunkt %1 → %2</translation>
    </message>
    <message>
        <source>Black point %1 → %2</source>
        <translation>Schwarzpunkt %1 → %2</translation>
    </message>
</context>
<context>
    <name>parallax::ui::LiveChart</name>
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
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>%1, run %2: %3</source>
        <translation>%1, Lauf %2: %3</translation>
    </message>
    <message>
        <source>Chart of runs</source>
        <translation>Diagramm der Läufe</translation>
    </message>
    <message>
        <source>Compute time of every timing sample, in order. A trend means drift, isolated points are disturbances; none is dropped.</source>
        <translation>Rechenzeit jedes Messwerts, der Reihe nach. Ein Trend bedeutet Drift, einzelne abseits liegende Punkte sind Störungen; keiner wird verworfen.</translation>
    </message>
    <message>
        <source>Runs

Press Benchmark to see each timing sample as it is measured.</source>
        <translation>Läufe

Auf „Benchmark“ drücken, um jeden Messwert zu sehen, während gemessen wird.</translation>
    </message>
    <message>
        <source>Compute time of the last timing sample</source>
        <translation>Rechenzeit des letzten Messwerts</translation>
    </message>
</context>
<context>
    <name>parallax::ui::LongWork</name>
    <message>
        <source>%1 disagrees with the reference</source>
        <translation>%1 stimmt nicht mit der Referenz überein</translation>
    </message>
    <message>
        <source>%1 is %2 faster than %3</source>
        <translation>%1 ist %2 schneller als %3</translation>
    </message>
    <message>
        <source>No backend is faster than %1</source>
        <translation>Kein Backend ist schneller als %1</translation>
    </message>
    <message>
        <source>No difference from %1 can be shown</source>
        <translation>Ein Unterschied zu %1 ist nicht nachweisbar</translation>
    </message>
    <message>
        <source>Measuring or computing</source>
        <translation>Messung oder Berechnung läuft</translation>
    </message>
    <message>
        <source>Benchmark failed</source>
        <translation>Benchmark fehlgeschlagen</translation>
    </message>
    <message>
        <source>The window shows the error</source>
        <translation>Das Fenster zeigt den Fehler</translation>
    </message>
    <message>
        <source>Benchmark finished</source>
        <translation>Benchmark beendet</translation>
    </message>
    <message>
        <source>Measuring the ceilings failed</source>
        <translation>Messung der Leistungsgrenzen fehlgeschlagen</translation>
    </message>
    <message>
        <source>Ceilings measured</source>
        <translation>Leistungsgrenzen gemessen</translation>
    </message>
    <message>
        <source>Saving failed</source>
        <translation>Speichern fehlgeschlagen</translation>
    </message>
    <message>
        <source>Saving finished</source>
        <translation>Speichern beendet</translation>
    </message>
    <message>
        <source>Files saved: %1</source>
        <translation>Gespeicherte Dateien: %1</translation>
    </message>
    <message>
        <source>Computation failed</source>
        <translation>Berechnung fehlgeschlagen</translation>
    </message>
    <message>
        <source>Computation finished</source>
        <translation>Berechnung beendet</translation>
    </message>
    <message>
        <source>Sweep failed</source>
        <translation>Messreihe fehlgeschlagen</translation>
    </message>
    <message>
        <source>Sweep finished</source>
        <translation>Messreihe beendet</translation>
    </message>
    <message>
        <source>All points are measured</source>
        <translation>Alle Punkte sind gemessen</translation>
    </message>
    <message>
        <source>Opening failed</source>
        <translation>Öffnen fehlgeschlagen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::MainToolBar</name>
    <message>
        <source>More commands</source>
        <translation>Weitere Befehle</translation>
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
        <source>Ctrl+Shift+O</source>
        <translation>Ctrl+Shift+O</translation>
    </message>
    <message>
        <source>&amp;Generate …</source>
        <translation>&amp;Erzeugen …</translation>
    </message>
    <message>
        <source>&amp;Next image</source>
        <translation>Nä&amp;chstes Bild</translation>
    </message>
    <message>
        <source>&amp;Previous image</source>
        <translation>&amp;Voriges Bild</translation>
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
        <source>Save rec&amp;ipe …</source>
        <translation>Rezept &amp;speichern …</translation>
    </message>
    <message>
        <source>Ctrl+Alt+R</source>
        <translation>Ctrl+Alt+R</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
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
        <source>S&amp;wap A and B</source>
        <translation>A und B &amp;tauschen</translation>
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
        <source>Zoom &amp;in</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>&amp;Zoom out</source>
        <translation>Ver&amp;kleinern</translation>
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
        <source>&amp;Mark clipping</source>
        <translation>Übersteuerung &amp;markieren</translation>
    </message>
    <message>
        <source>Pi&amp;xel grid</source>
        <translation>Pi&amp;xelraster</translation>
    </message>
    <message>
        <source>Select by &amp;dragging</source>
        <translation>Durch &amp;Ziehen auswählen</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>&amp;Alles auswählen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+A</source>
        <translation>Ctrl+Shift+A</translation>
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
        <source>&amp;About Parallax</source>
        <translation>&amp;Über Parallax</translation>
    </message>
    <message>
        <source>Ctrl+1</source>
        <translation>Ctrl+1</translation>
    </message>
    <message>
        <source>Ctrl+2</source>
        <translation>Ctrl+2</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>Ver&amp;gleich</translation>
    </message>
    <message>
        <source>Ctrl+3</source>
        <translation>Ctrl+3</translation>
    </message>
    <message>
        <source>Ctrl+4</source>
        <translation>Ctrl+4</translation>
    </message>
    <message>
        <source>Ctrl+5</source>
        <translation>Ctrl+5</translation>
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
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
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
        <source>Reload a&amp;utomatically</source>
        <translation>A&amp;utomatisch neu laden</translation>
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
        <source>pasted-%1.png</source>
        <translation>eingefuegt-%1.png</translation>
    </message>
    <message>
        <source>Ctrl+Alt+A</source>
        <translation>Ctrl+Alt+A</translation>
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
        <source>Ctrl+Alt+W</source>
        <translation>Ctrl+Alt+W</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Ctrl+Q</translation>
    </message>
    <message>
        <source>Ctrl+Alt+1</source>
        <translation>Ctrl+Alt+1</translation>
    </message>
    <message>
        <source>Ctrl+Alt+2</source>
        <translation>Ctrl+Alt+2</translation>
    </message>
    <message>
        <source>Ctrl+Alt+3</source>
        <translation>Ctrl+Alt+3</translation>
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
        <source>R&amp;estore session</source>
        <translation>Sitzun&amp;g wiederherstellen</translation>
    </message>
    <message>
        <source>%1 was open, last changed %2</source>
        <translation>%1 war offen, zuletzt geändert %2</translation>
    </message>
    <message>
        <source>Reports (*.json)</source>
        <translation>Berichte (*.json)</translation>
    </message>
    <message>
        <source>Sub-bands</source>
        <translation>Teilbänder</translation>
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
        <source>&amp;Three planes</source>
        <translation>&amp;Drei Ebenen</translation>
    </message>
    <message>
        <source>Alt+1</source>
        <translation>Alt+1</translation>
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
        <source>C&amp;oronal plane</source>
        <translation>&amp;Koronare Ebene</translation>
    </message>
    <message>
        <source>Alt+3</source>
        <translation>Alt+3</translation>
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
        <source>Cross&amp;hair</source>
        <translation>Fadenkreu&amp;z</translation>
    </message>
    <message>
        <source>&amp;Invert</source>
        <translation>&amp;Invertieren</translation>
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
        <source>Open raw sa&amp;mples …</source>
        <translation>Roh&amp;werte öffnen …</translation>
    </message>
    <message>
        <source>Ctrl+Alt+B</source>
        <translation>Ctrl+Alt+B</translation>
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
        <source>Hide pane&amp;ls</source>
        <translation>Bedienfelder au&amp;sblenden</translation>
    </message>
    <message>
        <source>Saving is still in progress; Parallax quits when it is finished</source>
        <translation>Es wird noch gespeichert; Parallax wird danach beendet</translation>
    </message>
    <message>
        <source>Close again to quit and discard the unfinished files</source>
        <translation>Erneut schließen, um Parallax zu beenden und die unfertigen Dateien zu verwerfen</translation>
    </message>
    <message>
        <source>Stacked panels. Drag the title of one to move it elsewhere.</source>
        <translation>Gestapelte Felder. Am Titel lässt sich ein Feld an eine andere Stelle ziehen.</translation>
    </message>
    <message>
        <source>Open a file without a header: enter its layout while a preview shows the middle slice</source>
        <translation>Eine Datei ohne Kopf öffnen: Aufbau eingeben, während eine Vorschau die mittlere Schicht zeigt</translation>
    </message>
    <message>
        <source>Open &amp;sample</source>
        <translation>Beis&amp;piel öffnen</translation>
    </message>
    <message>
        <source>Open the bundled sample image</source>
        <translation>Das mitgelieferte Beispielbild öffnen</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>Generate a test image</source>
        <translation>Ein Testbild erzeugen</translation>
    </message>
    <message>
        <source>Save all images …</source>
        <translation>Alle Bilder speichern …</translation>
    </message>
    <message>
        <source>Save the panes as shown, with colours, labels and marks, as PNG</source>
        <translation>Die Bildflächen wie gezeigt, mit Farben, Beschriftungen und Markierungen, als PNG speichern</translation>
    </message>
    <message>
        <source>Save &amp;window picture …</source>
        <translation>&amp;Fensterbild speichern …</translation>
    </message>
    <message>
        <source>Save the whole window as PNG</source>
        <translation>Das ganze Fenster als PNG speichern</translation>
    </message>
    <message>
        <source>Replace the pipeline with one from a file</source>
        <translation>Die Pipeline durch eine aus einer Datei ersetzen</translation>
    </message>
    <message>
        <source>Save the pipeline to a file that the window and parallax-cli --recipe can read</source>
        <translation>Die Pipeline in einer Datei speichern, die das Fenster und parallax-cli --recipe lesen können</translation>
    </message>
    <message>
        <source>Quit Parallax</source>
        <translation>Parallax beenden</translation>
    </message>
    <message>
        <source>Redo the last change that was undone</source>
        <translation>Die zuletzt rückgängig gemachte Änderung wiederholen</translation>
    </message>
    <message>
        <source>Stop computing</source>
        <translation>Berechnung abbrechen</translation>
    </message>
    <message>
        <source>&amp;Fit to window</source>
        <translation>Ins Fenster ein&amp;passen</translation>
    </message>
    <message>
        <source>Show one image pixel per screen pixel</source>
        <translation>Ein Bildpixel je Bildschirmpixel zeigen</translation>
    </message>
    <message>
        <source>Enlarge the image</source>
        <translation>Das Bild vergrößern</translation>
    </message>
    <message>
        <source>Reduce the image</source>
        <translation>Das Bild verkleinern</translation>
    </message>
    <message>
        <source>Set the exposure so that 99 % of the pixels (of the selection, if any) are no brighter than white</source>
        <translation>Die Belichtung so einstellen, dass 99 % der Pixel (gegebenenfalls der Auswahl) höchstens weiß sind</translation>
    </message>
    <message>
        <source>Colour pixels that are brighter than white or darker than black</source>
        <translation>Pixel einfärben, die heller als Weiß oder dunkler als Schwarz sind</translation>
    </message>
    <message>
        <source>Show grid lines and pixel values at high zoom</source>
        <translation>Rasterlinien und Pixelwerte bei starker Vergrößerung zeigen</translation>
    </message>
    <message>
        <source>Select &amp;visible area</source>
        <translation>&amp;Sichtbaren Teil auswählen</translation>
    </message>
    <message>
        <source>Select the pixels that are visible in the panes</source>
        <translation>Die in den Bildflächen sichtbaren Pixel auswählen</translation>
    </message>
    <message>
        <source>Select &amp;none</source>
        <translation>&amp;Nichts auswählen</translation>
    </message>
    <message>
        <source>&amp;Reset display</source>
        <translation>Anz&amp;eige zurücksetzen</translation>
    </message>
    <message>
        <source>Restore the initial display settings: exposure or window, signed difference, automatic range</source>
        <translation>Die anfänglichen Anzeigeeinstellungen wiederherstellen: Belichtung oder Fenster, Differenz mit Vorzeichen, automatischer Bereich</translation>
    </message>
    <message>
        <source>Hide or show all panels</source>
        <translation>Alle Bedienfelder aus- oder einblenden</translation>
    </message>
    <message>
        <source>Restore the initial arrangement of the panels</source>
        <translation>Die anfängliche Anordnung der Felder wiederherstellen</translation>
    </message>
    <message>
        <source>Single &amp;image</source>
        <translation>Einzel&amp;bild</translation>
    </message>
    <message>
        <source>Show one image and the inspector</source>
        <translation>Ein Bild und den Inspektor zeigen</translation>
    </message>
    <message>
        <source>Show all panes, the pipeline and the inspector</source>
        <translation>Alle Bildflächen, die Pipeline und den Inspektor zeigen</translation>
    </message>
    <message>
        <source>Show large charts, the pipeline, A and B</source>
        <translation>Große Diagramme, die Pipeline, A und B zeigen</translation>
    </message>
    <message>
        <source>Find and run any command by a few letters</source>
        <translation>Jeden Befehl mit wenigen Buchstaben finden und ausführen</translation>
    </message>
    <message>
        <source>Man&amp;ual</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>Open the manual at the section about the focused panel or step</source>
        <translation>Das Handbuch beim Abschnitt über das aktive Feld oder den aktiven Schritt öffnen</translation>
    </message>
    <message>
        <source>&amp;What&apos;s this?</source>
        <translation>&amp;Direkthilfe</translation>
    </message>
    <message>
        <source>Click a part of the window to read about it in the manual</source>
        <translation>Auf einen Teil des Fensters klicken, um im Handbuch darüber zu lesen</translation>
    </message>
    <message>
        <source>Keyboard &amp;shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>Show the errors and notes of this session</source>
        <translation>Fehler und Hinweise dieser Sitzung zeigen</translation>
    </message>
    <message>
        <source>Show version, build, libraries, devices and licences</source>
        <translation>Version, Build, Bibliotheken, Geräte und Lizenzen zeigen</translation>
    </message>
    <message>
        <source>Show only the difference</source>
        <translation>Nur die Differenz zeigen</translation>
    </message>
    <message>
        <source>Follow &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>Use the light or dark theme of the desktop</source>
        <translation>Das helle oder dunkle Farbschema der Arbeitsumgebung verwenden</translation>
    </message>
    <message>
        <source>Always use the light theme</source>
        <translation>Immer das helle Farbschema verwenden</translation>
    </message>
    <message>
        <source>Always use the dark theme</source>
        <translation>Immer das dunkle Farbschema verwenden</translation>
    </message>
    <message>
        <source>Add &amp;step</source>
        <translation>S&amp;chritt hinzufügen</translation>
    </message>
    <message>
        <source>Show or hide the %1 panel</source>
        <translation>Das Feld %1 zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Layouts</source>
        <translation>Anordnungen</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>Werkzeugleiste</translation>
    </message>
    <message>
        <source>Save images or the report</source>
        <translation>Bilder oder den Bericht speichern</translation>
    </message>
    <message>
        <source>Reload the open file whenever another program changes it</source>
        <translation>Die geöffnete Datei neu laden, sobald ein anderes Programm sie ändert</translation>
    </message>
    <message>
        <source>&amp;Clear list</source>
        <translation>Liste &amp;leeren</translation>
    </message>
    <message>
        <source>&amp;Copy view</source>
        <translation>Ansicht &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy the current pane as an image</source>
        <translation>Die aktuelle Bildfläche als Bild kopieren</translation>
    </message>
    <message>
        <source>Open the image or the files on the clipboard</source>
        <translation>Das Bild oder die Dateien aus der Zwischenablage öffnen</translation>
    </message>
    <message>
        <source>Reload it, or continue with the image as it was</source>
        <translation>Neu laden oder mit dem bisherigen Bild weiterarbeiten</translation>
    </message>
    <message>
        <source>Nothing to copy</source>
        <translation>Nichts zu kopieren</translation>
    </message>
    <message>
        <source>Save the samples of this pane in a chosen format and bit depth</source>
        <translation>Die Werte dieser Bildfläche in wählbarem Format und wählbarer Bittiefe speichern</translation>
    </message>
    <message>
        <source>Save &amp;view of %1 …</source>
        <translation>Ansic&amp;ht von %1 speichern …</translation>
    </message>
    <message>
        <source>Save this pane as shown, with colours, labels and marks, as PNG</source>
        <translation>Diese Bildfläche wie gezeigt, mit Farben, Beschriftungen und Markierungen, als PNG speichern</translation>
    </message>
    <message>
        <source>Save view</source>
        <translation>Ansicht speichern</translation>
    </message>
    <message>
        <source>&amp;Copy view of %1</source>
        <translation>Ansicht von %1 k&amp;opieren</translation>
    </message>
    <message>
        <source>Copy this pane as an image</source>
        <translation>Diese Bildfläche als Bild kopieren</translation>
    </message>
    <message>
        <source>Point at a pixel, then press the shortcut</source>
        <translation>Auf ein Pixel zeigen, dann das Tastenkürzel drücken</translation>
    </message>
    <message>
        <source>Nothing to open</source>
        <translation>Nichts zu öffnen</translation>
    </message>
    <message>
        <source>neither an image nor a file was found</source>
        <translation>weder ein Bild noch eine Datei wurde gefunden</translation>
    </message>
    <message>
        <source>Copy an image or a file first</source>
        <translation>Zuerst ein Bild oder eine Datei kopieren</translation>
    </message>
    <message>
        <source>Parallax was closed unexpectedly</source>
        <translation>Parallax wurde unerwartet beendet</translation>
    </message>
    <message>
        <source>Restore the session, or continue without it</source>
        <translation>Die Sitzung wiederherstellen oder ohne sie fortfahren</translation>
    </message>
    <message>
        <source>Restore session</source>
        <translation>Sitzung wiederherstellen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Show the axial, coronal and sagittal planes</source>
        <translation>Die axiale, die koronare und die sagittale Ebene zeigen</translation>
    </message>
    <message>
        <source>Show only the axial plane</source>
        <translation>Nur die axiale Ebene zeigen</translation>
    </message>
    <message>
        <source>Show only the coronal plane</source>
        <translation>Nur die koronare Ebene zeigen</translation>
    </message>
    <message>
        <source>Show only the sagittal plane</source>
        <translation>Nur die sagittale Ebene zeigen</translation>
    </message>
    <message>
        <source>Show the crosshair that links the planes</source>
        <translation>Das Fadenkreuz zeigen, das die Ebenen verbindet</translation>
    </message>
    <message>
        <source>Show small values bright and large values dark</source>
        <translation>Kleine Werte hell und große Werte dunkel zeigen</translation>
    </message>
    <message>
        <source>Window width %2, level %1</source>
        <translation>Fensterbreite %2, Lage %1</translation>
    </message>
    <message>
        <source>Ctrl+B</source>
        <translation>Ctrl+B</translation>
    </message>
    <message>
        <source>S&amp;ettings …</source>
        <translation>Einste&amp;llungen …</translation>
    </message>
    <message>
        <source>Ctrl+,</source>
        <translation>Ctrl+,</translation>
    </message>
    <message>
        <source>Change language, theme, backend, limits, folders and privacy</source>
        <translation>Sprache, Farbschema, Backend, Grenzen, Ordner und Datenschutz ändern</translation>
    </message>
    <message>
        <source>Pane labels</source>
        <translation>Beschriftung der Bildflächen</translation>
    </message>
    <message>
        <source>Show backend, time and verdict above the images, and orientation and slice on volumes</source>
        <translation>Backend, Zeit und Urteil über den Bildern zeigen, bei Volumen auch Lage und Schicht</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>Hoher &amp;Kontrast</translation>
    </message>
    <message>
        <source>Use white text on black, with clear outlines</source>
        <translation>Weiße Schrift auf Schwarz mit deutlichen Umrissen verwenden</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Close file</source>
        <translation>Datei schließen</translation>
    </message>
    <message>
        <source>Ctrl+W</source>
        <translation>Ctrl+W</translation>
    </message>
    <message>
        <source>Close the current file; the other open files stay</source>
        <translation>Die aktuelle Datei schließen; die anderen geöffneten Dateien bleiben</translation>
    </message>
    <message>
        <source>The default backend is not used: %1.</source>
        <translation>Das Standard-Backend wird nicht verwendet: %1.</translation>
    </message>
    <message>
        <source>Some settings cannot be used</source>
        <translation>Einige Einstellungen sind nicht verwendbar</translation>
    </message>
    <message>
        <source>Correct them under Edit &gt; Settings</source>
        <translation>Unter Bearbeiten &gt; Einstellungen berichtigen</translation>
    </message>
    <message>
        <source>Sessions (*.%1)</source>
        <translation>Sitzungen (*.%1)</translation>
    </message>
    <message>
        <source>%1[*] – %2 – Parallax</source>
        <translation>%1[*] – %2 – Parallax</translation>
    </message>
    <message>
        <source>Export the measurements of this image and these steps as a document, a table or data</source>
        <translation>Die Messungen dieses Bilds und dieser Schritte als Dokument, Tabelle oder Daten exportieren</translation>
    </message>
    <message>
        <source>Open session …</source>
        <translation>Sitzung öffnen …</translation>
    </message>
    <message>
        <source>Open a session file: its inputs, pipeline, views and panels</source>
        <translation>Eine Sitzungsdatei öffnen: ihre Eingaben, Pipeline, Ansichten und Felder</translation>
    </message>
    <message>
        <source>Open session</source>
        <translation>Sitzung öffnen</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>Sitzung speichern</translation>
    </message>
    <message>
        <source>Save inputs, pipeline, views and panels to the open session file</source>
        <translation>Eingaben, Pipeline, Ansichten und Felder in der geöffneten Sitzungsdatei speichern</translation>
    </message>
    <message>
        <source>Save session as …</source>
        <translation>Sitzung speichern unter …</translation>
    </message>
    <message>
        <source>Save inputs, pipeline, views and panels to another session file</source>
        <translation>Eingaben, Pipeline, Ansichten und Felder in einer anderen Sitzungsdatei speichern</translation>
    </message>
    <message>
        <source>Reopen the session of the last time that Parallax was open</source>
        <translation>Die Sitzung wieder öffnen, mit der Parallax zuletzt beendet wurde</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>The session %1 has unsaved changes.</source>
        <translation>Die Sitzung %1 hat ungespeicherte Änderungen.</translation>
    </message>
    <message>
        <source>The session has no input that exists</source>
        <translation>Keine Eingabe der Sitzung ist vorhanden</translation>
    </message>
    <message>
        <source>The session was opened without missing files</source>
        <translation>Die Sitzung wurde ohne fehlende Dateien geöffnet</translation>
    </message>
    <message>
        <source>not found: %1</source>
        <translation>nicht gefunden: %1</translation>
    </message>
    <message>
        <source>Put the files back and open the session again</source>
        <translation>Die Dateien zurücklegen und die Sitzung erneut öffnen</translation>
    </message>
    <message>
        <source>A pasted image will be missing in this session</source>
        <translation>Ein eingefügtes Bild wird in dieser Sitzung fehlen</translation>
    </message>
    <message>
        <source>it has no file that stays when Parallax is closed</source>
        <translation>es hat keine Datei, die nach dem Beenden von Parallax bleibt</translation>
    </message>
    <message>
        <source>Save the original as a file, open it, and save the session again</source>
        <translation>Das Original als Datei speichern, diese öffnen und die Sitzung erneut speichern</translation>
    </message>
    <message>
        <source>Exchange input, steps and backend of A and B</source>
        <translation>Eingabe, Schritte und Backend von A und B tauschen</translation>
    </message>
    <message>
        <source>Ctrl+6</source>
        <translation>Ctrl+6</translation>
    </message>
    <message>
        <source>Show every compared pane</source>
        <translation>Jede verglichene Bildfläche zeigen</translation>
    </message>
    <message>
        <source>Save result %1 …</source>
        <translation>Ergebnis %1 speichern …</translation>
    </message>
    <message>
        <source>Save the samples of result %1 in a chosen format and bit depth</source>
        <translation>Die Werte von Ergebnis %1 in einem gewählten Format und einer gewählten Bittiefe speichern</translation>
    </message>
    <message>
        <source>A&amp;dd pane</source>
        <translation>Bildfläche &amp;hinzufügen</translation>
    </message>
    <message>
        <source>Ctrl+T</source>
        <translation>Ctrl+T</translation>
    </message>
    <message>
        <source>Add a pane, a duplicate of the active one</source>
        <translation>Eine Bildfläche hinzufügen, als Kopie der aktiven</translation>
    </message>
    <message>
        <source>&amp;Remove pane</source>
        <translation>Bildfläche &amp;entfernen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+W</source>
        <translation>Ctrl+Shift+W</translation>
    </message>
    <message>
        <source>Remove the active pane; two always remain</source>
        <translation>Die aktive Bildfläche entfernen; zwei bleiben immer</translation>
    </message>
    <message>
        <source>Ne&amp;xt pane</source>
        <translation>Nä&amp;chste Bildfläche</translation>
    </message>
    <message>
        <source>Ctrl+Tab</source>
        <translation>Ctrl+Tab</translation>
    </message>
    <message>
        <source>Make the next pane the active one</source>
        <translation>Die nächste Bildfläche aktivieren</translation>
    </message>
    <message>
        <source>Pre&amp;vious pane</source>
        <translation>&amp;Vorige Bildfläche</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Tab</source>
        <translation>Ctrl+Shift+Tab</translation>
    </message>
    <message>
        <source>Make the previous pane the active one</source>
        <translation>Die vorige Bildfläche aktivieren</translation>
    </message>
    <message>
        <source>&amp;Use as reference</source>
        <translation>Als &amp;Referenz verwenden</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Ctrl+Shift+R</translation>
    </message>
    <message>
        <source>Subtract the active pane from the others in differences and metrics</source>
        <translation>Die aktive Bildfläche in Differenzen und Metriken von den anderen abziehen</translation>
    </message>
    <message>
        <source>&amp;Same steps as A</source>
        <translation>Gleiche &amp;Schritte wie A</translation>
    </message>
    <message>
        <source>Compute the active pane with the steps of A, or give it its own</source>
        <translation>Die aktive Bildfläche mit den Schritten von A berechnen oder ihr eigene geben</translation>
    </message>
    <message>
        <source>L&amp;ink panes</source>
        <translation>Bildflächen &amp;koppeln</translation>
    </message>
    <message>
        <source>Ctrl+L</source>
        <translation>Ctrl+L</translation>
    </message>
    <message>
        <source>Pan and zoom all panes together, or each on its own</source>
        <translation>Alle Bildflächen gemeinsam verschieben und zoomen oder jede für sich</translation>
    </message>
    <message>
        <source>Show reference, active pane and their difference</source>
        <translation>Referenz, aktive Bildfläche und ihre Differenz zeigen</translation>
    </message>
    <message>
        <source>Di&amp;fference</source>
        <translation>Di&amp;fferenz</translation>
    </message>
    <message>
        <source>Wi&amp;pe</source>
        <translation>&amp;Wischen</translation>
    </message>
    <message>
        <source>Show reference and active pane in one pane, separated by a movable line</source>
        <translation>Referenz und aktive Bildfläche in einer Fläche zeigen, getrennt durch eine bewegliche Linie</translation>
    </message>
    <message>
        <source>A&amp;ll panes</source>
        <translation>&amp;Alle Bildflächen</translation>
    </message>
    <message>
        <source>&amp;Move wipe line left</source>
        <translation>Wischlinie nach &amp;links</translation>
    </message>
    <message>
        <source>Move the wipe line left to show more of the right pane</source>
        <translation>Die Wischlinie nach links bewegen, um mehr von der rechten Fläche zu zeigen</translation>
    </message>
    <message>
        <source>Move wipe line ri&amp;ght</source>
        <translation>Wischl&amp;inie nach rechts</translation>
    </message>
    <message>
        <source>Move the wipe line right to show more of the left pane</source>
        <translation>Die Wischlinie nach rechts bewegen, um mehr von der linken Fläche zu zeigen</translation>
    </message>
    <message>
        <source>%1 &amp;alone</source>
        <translation>N&amp;ur %1</translation>
    </message>
    <message>
        <source>Show only result %1</source>
        <translation>Nur Ergebnis %1 zeigen</translation>
    </message>
    <message>
        <source>%1 a&amp;nd %2</source>
        <translation>%1 u&amp;nd %2</translation>
    </message>
    <message>
        <source>Show %1 and %2 side by side</source>
        <translation>%1 und %2 nebeneinander zeigen</translation>
    </message>
    <message>
        <source>Flic&amp;ker %1 and %2</source>
        <translation>%1 und %2 i&amp;m Wechsel</translation>
    </message>
    <message>
        <source>Show %2 in place of %1; press again to return to %1</source>
        <translation>%2 anstelle von %1 zeigen; erneut drücken, um zu %1 zurückzukehren</translation>
    </message>
    <message>
        <source>Input of %1</source>
        <translation>Eingabe von %1</translation>
    </message>
    <message>
        <source>&amp;%1 …</source>
        <translation>&amp;%1 …</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>New panes</source>
        <translation>Neue Bildflächen</translation>
    </message>
    <message>
        <source>New pane</source>
        <translation>Neue Bildfläche</translation>
    </message>
    <message>
        <source>Inputs of %1 and the next panes</source>
        <translation>Eingaben von %1 und der nächsten Bildflächen</translation>
    </message>
    <message>
        <source>%1 of %2 files are compared</source>
        <translation>%1 von %2 Dateien werden verglichen</translation>
    </message>
    <message>
        <source>there are at most %1 panes</source>
        <translation>es gibt höchstens %1 Bildflächen</translation>
    </message>
    <message>
        <source>Next file of the folder</source>
        <translation>Nächste Datei des Ordners</translation>
    </message>
    <message>
        <source>Alt+Right</source>
        <translation>Alt+Right</translation>
    </message>
    <message>
        <source>Open the next image file of this folder in place of the current one</source>
        <translation>Die nächste Bilddatei dieses Ordners anstelle der aktuellen öffnen</translation>
    </message>
    <message>
        <source>Previous file of the folder</source>
        <translation>Vorige Datei des Ordners</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Left</translation>
    </message>
    <message>
        <source>Open the previous image file of this folder in place of the current one</source>
        <translation>Die vorige Bilddatei dieses Ordners anstelle der aktuellen öffnen</translation>
    </message>
    <message>
        <source>Filmstrip</source>
        <translation>Filmstreifen</translation>
    </message>
    <message>
        <source>Show the open files below the pictures</source>
        <translation>Die geöffneten Dateien unter den Bildern zeigen</translation>
    </message>
    <message>
        <source>This is the last image file of the folder</source>
        <translation>Dies ist die letzte Bilddatei des Ordners</translation>
    </message>
    <message>
        <source>This is the first image file of the folder</source>
        <translation>Dies ist die erste Bilddatei des Ordners</translation>
    </message>
    <message>
        <source>The folder has no other image file</source>
        <translation>Der Ordner enthält keine andere Bilddatei</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Contact s&amp;heet …</source>
        <translation>Kontakt&amp;bogen …</translation>
    </message>
    <message>
        <source>Ctrl+Shift+K</source>
        <translation>Ctrl+Shift+K</translation>
    </message>
    <message>
        <source>Show the active pane with up to %1 values of a parameter</source>
        <translation>Die aktive Bildfläche mit bis zu %1 Werten eines Parameters zeigen</translation>
    </message>
    <message>
        <source>Use &amp;these steps</source>
        <translation>&amp;Diese Schritte übernehmen</translation>
    </message>
    <message>
        <source>Use the steps of the active picture, and close the contact sheet (also: double click, or Enter in the picture)</source>
        <translation>Die Schritte des aktiven Bildes übernehmen und den Kontaktbogen schließen (auch: Doppelklick, oder Eingabetaste im Bild)</translation>
    </message>
    <message>
        <source>Clos&amp;e contact sheet</source>
        <translation>Kontaktbogen schlie&amp;ßen</translation>
    </message>
    <message>
        <source>Close the contact sheet, and restore the panes as they were</source>
        <translation>Den Kontaktbogen schließen und die Bildflächen wiederherstellen</translation>
    </message>
    <message>
        <source>Contact sheet of %1</source>
        <translation>Kontaktbogen von %1</translation>
    </message>
    <message>
        <source>Show the next open image; with a single one, the next file of its folder</source>
        <translation>Das nächste geöffnete Bild zeigen; bei einem einzigen die nächste Datei seines Ordners</translation>
    </message>
    <message>
        <source>Show the previous open image; with a single one, the previous file of its folder</source>
        <translation>Das vorige geöffnete Bild zeigen; bei einem einzigen die vorige Datei seines Ordners</translation>
    </message>
    <message>
        <source>Ctrl+Alt+D</source>
        <translation>Ctrl+Alt+D</translation>
    </message>
    <message>
        <source>Ctrl+Alt+P</source>
        <translation>Ctrl+Alt+P</translation>
    </message>
    <message>
        <source>Stop the running work, or close the message or the contact sheet</source>
        <translation>Laufende Arbeit abbrechen, oder die Meldung oder den Kontaktbogen schließen</translation>
    </message>
    <message>
        <source>Clear the list of recent files; pinned files stay</source>
        <translation>Liste der zuletzt geöffneten Dateien leeren; angeheftete Dateien bleiben</translation>
    </message>
    <message>
        <source>&amp;Pin current file</source>
        <translation>Aktuelle Datei &amp;anheften</translation>
    </message>
    <message>
        <source>Keep the current file at the top of the recent files</source>
        <translation>Aktuelle Datei oben in der Liste der zuletzt geöffneten Dateien halten</translation>
    </message>
    <message>
        <source>Open the pinned file %1</source>
        <translation>Angeheftete Datei %1 öffnen</translation>
    </message>
    <message>
        <source>&amp;Unpin</source>
        <translation>&amp;Lösen</translation>
    </message>
    <message>
        <source>&amp;Pin</source>
        <translation>&amp;Anheften</translation>
    </message>
    <message>
        <source>List this file among the others again</source>
        <translation>Diese Datei wieder unter den anderen aufführen</translation>
    </message>
    <message>
        <source>Keep this file at the top of the recent files</source>
        <translation>Diese Datei oben in der Liste der zuletzt geöffneten Dateien halten</translation>
    </message>
    <message>
        <source>&amp;Remove from the list</source>
        <translation>Aus der Liste &amp;entfernen</translation>
    </message>
    <message>
        <source>Remove this file from the recent files; the file itself stays</source>
        <translation>Diese Datei aus der Liste der zuletzt geöffneten Dateien entfernen; die Datei selbst bleibt</translation>
    </message>
    <message>
        <source>Save the samples of every pane, the difference and the original, one file each</source>
        <translation>Die Werte aller Bildflächen, der Differenz und des Originals speichern, je eine Datei</translation>
    </message>
    <message>
        <source>Save &amp;difference %1 …</source>
        <translation>&amp;Differenz %1 speichern …</translation>
    </message>
    <message>
        <source>Save the difference %1 as an image with one channel</source>
        <translation>Die Differenz %1 als Bild mit einem Kanal speichern</translation>
    </message>
    <message>
        <source>Undo the last change of the pipeline, or of the levels in the histogram</source>
        <translation>Die letzte Änderung der Pipeline oder der Marken im Histogramm rückgängig machen</translation>
    </message>
    <message>
        <source>Open a kernel of your own, which becomes a backend</source>
        <translation>Einen eigenen Rechenkern öffnen, der ein Backend wird</translation>
    </message>
    <message>
        <source>Open kernel</source>
        <translation>Rechenkern öffnen</translation>
    </message>
    <message>
        <source>Show whether your kernels agree with the reference</source>
        <translation>Zeigen, ob Ihre Rechenkerne mit der Referenz übereinstimmen</translation>
    </message>
    <message>
        <source>New kernel</source>
        <translation>Neuer Rechenkern</translation>
    </message>
    <message>
        <source>Kernels in C++ (*.cpp)</source>
        <translation>Rechenkerne in C++ (*.cpp)</translation>
    </message>
    <message>
        <source>Write a kernel that computes this operation, to begin with: %1</source>
        <translation>Einen Rechenkern für den Anfang schreiben, der diese Operation berechnet: %1</translation>
    </message>
    <message>
        <source>Open kernel …</source>
        <translation>Rechenkern öffnen …</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Rechenkerne</translation>
    </message>
    <message>
        <source>Kernels in C++ or CUDA (*.cpp *.cc *.cxx *.cu)</source>
        <translation>Rechenkerne in C++ oder CUDA (*.cpp *.cc *.cxx *.cu)</translation>
    </message>
    <message>
        <source>Kernels in CUDA (*.cu)</source>
        <translation>Rechenkerne in CUDA (*.cu)</translation>
    </message>
    <message>
        <source>&amp;Batch …</source>
        <translation>Stape&amp;l …</translation>
    </message>
    <message>
        <source>Apply the steps of result A to many files, or convert files</source>
        <translation>Die Schritte von Ergebnis A auf viele Dateien anwenden oder Dateien umwandeln</translation>
    </message>
    <message>
        <source>&amp;Rendering</source>
        <translation>&amp;Rendering</translation>
    </message>
    <message>
        <source>Alt+5</source>
        <translation>Alt+5</translation>
    </message>
    <message>
        <source>Show a rendering of each volume beside its planes</source>
        <translation>Zu jedem Volumen neben den Ebenen ein gerendertes Bild zeigen</translation>
    </message>
    <message>
        <source>Next &amp;NaN or infinity</source>
        <translation>Nächstes &amp;NaN oder Unendlich</translation>
    </message>
    <message>
        <source>Go to the next pixel with a sample that is NaN or infinite</source>
        <translation>Zum nächsten Pixel mit einem Wert gehen, der NaN oder unendlich ist</translation>
    </message>
    <message>
        <source>%1 NaN</source>
        <translation>%1 NaN</translation>
    </message>
    <message>
        <source>%1 infinite</source>
        <translation>%1 unendlich</translation>
    </message>
    <message>
        <source>The image has samples that are not finite numbers</source>
        <translation>Das Bild hat Werte, die keine endlichen Zahlen sind</translation>
    </message>
    <message>
        <source>Looking for NaN and infinity</source>
        <translation>NaN und Unendlich werden gesucht</translation>
    </message>
    <message>
        <source>R&amp;uler and angle</source>
        <translation>Lineal &amp;und Winkel</translation>
    </message>
    <message>
        <source>Drag on a plane to measure a length, and from one of its ends to measure an angle; a click removes them</source>
        <translation>Auf einer Ebene ziehen misst eine Länge, von einem ihrer Enden aus einen Winkel; ein Klick entfernt beide</translation>
    </message>
    <message>
        <source>Next part or volume</source>
        <translation>Nächster Teil oder nächstes Volumen</translation>
    </message>
    <message>
        <source>Ctrl+PgDown</source>
        <translation>Ctrl+PgDown</translation>
    </message>
    <message>
        <source>Show the next part of the OpenEXR file, or the next volume or page of the file</source>
        <translation>Zeigt den nächsten Teil der OpenEXR-Datei oder das nächste Volumen oder die nächste Seite der Datei</translation>
    </message>
    <message>
        <source>Previous part or volume</source>
        <translation>Voriger Teil oder voriges Volumen</translation>
    </message>
    <message>
        <source>Ctrl+PgUp</source>
        <translation>Ctrl+PgUp</translation>
    </message>
    <message>
        <source>Show the previous part of the OpenEXR file, or the previous volume or page of the file</source>
        <translation>Zeigt den vorigen Teil der OpenEXR-Datei oder das vorige Volumen oder die vorige Seite der Datei</translation>
    </message>
    <message>
        <source>Play volumes</source>
        <translation>Volumen abspielen</translation>
    </message>
    <message>
        <source>Show the volumes of the file one after another</source>
        <translation>Zeigt die Volumen der Datei nacheinander</translation>
    </message>
    <message>
        <source>Drag to select and Shift+drag to pan; otherwise drag to pan and Shift+drag to select. In a volume, drag a box.</source>
        <translation>Ziehen wählt aus, Umschalt+Ziehen verschiebt; sonst verschiebt Ziehen, und Umschalt+Ziehen wählt aus. In einem Volumen zeichnet Ziehen einen Quader.</translation>
    </message>
    <message>
        <source>Select the whole image or volume</source>
        <translation>Das ganze Bild oder Volumen auswählen</translation>
    </message>
    <message>
        <source>&amp;Dithering</source>
        <translation>&amp;Dithering</translation>
    </message>
    <message>
        <source>Mix the two nearest of the 256 levels of the screen, which hides steps in smooth gradients</source>
        <translation>Die zwei nächsten der 256 Stufen des Bildschirms mischen, was Stufen in sanften Verläufen verbirgt</translation>
    </message>
    <message>
        <source>Replace NaN and infinit&amp;y</source>
        <translation>NaN und Unendlich e&amp;rsetzen</translation>
    </message>
    <message>
        <source>Choose what becomes of samples that are NaN or infinite, as the first step of all panes</source>
        <translation>Wählen, was aus Werten wird, die NaN oder unendlich sind; als erster Schritt aller Bildflächen</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>&amp;Behalten</translation>
    </message>
    <message>
        <source>Leave them as they are</source>
        <translation>Sie lassen, wie sie sind</translation>
    </message>
    <message>
        <source>By &amp;0</source>
        <translation>Durch &amp;0</translation>
    </message>
    <message>
        <source>Replace them by 0</source>
        <translation>Sie durch 0 ersetzen</translation>
    </message>
    <message>
        <source>&amp;Clamp to the finite range</source>
        <translation>Auf den &amp;endlichen Bereich begrenzen</translation>
    </message>
    <message>
        <source>Replace infinity by the smallest or largest finite sample, and NaN by the number between them that is nearest to 0</source>
        <translation>Unendlich durch den kleinsten oder größten endlichen Wert ersetzen und NaN durch die Zahl dazwischen, die 0 am nächsten ist</translation>
    </message>
    <message>
        <source>&amp;Fill from their surroundings</source>
        <translation>Aus ihrer Umgebung &amp;füllen</translation>
    </message>
    <message>
        <source>Interpolate them smoothly from the samples around them</source>
        <translation>Sie glatt aus den Werten um sie herum interpolieren</translation>
    </message>
    <message>
        <source>Computing the range of the samples</source>
        <translation>Wertebereich berechnen</translation>
    </message>
    <message>
        <source>%1 shows them one after another; Replace adds a first step that removes them</source>
        <translation>%1 zeigt sie nacheinander; Ersetzen fügt einen ersten Schritt hinzu, der sie entfernt</translation>
    </message>
    <message>
        <source>&amp;Save window preset …</source>
        <translation>Fenstervorgabe &amp;speichern …</translation>
    </message>
    <message>
        <source>Save window and level under a name and a number key, from 2 to 9, that shows them again</source>
        <translation>Breite und Lage unter einem Namen und einer Zifferntaste von 2 bis 9 speichern, die sie wieder zeigt</translation>
    </message>
    <message>
        <source>Batch: %1</source>
        <translation>Stapel: %1</translation>
    </message>
    <message>
        <source>Reload the open image and the inputs of the panes</source>
        <translation>Das geöffnete Bild und die Eingaben der Ansichten neu laden</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ManualBrowser</name>
    <message>
        <source>The manual has no page &apos;%1&apos;.</source>
        <translation>Das Handbuch hat keine Seite „%1“.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ManualWindow</name>
    <message>
        <source>Manual – Parallax</source>
        <translation>Handbuch – Parallax</translation>
    </message>
    <message>
        <source>Page of the manual</source>
        <translation>Seite des Handbuchs</translation>
    </message>
    <message>
        <source>Click a link to follow it. Ctrl+wheel changes the size of the text.</source>
        <translation>Ein Klick auf einen Link folgt ihm. Strg+Mausrad ändert die Schriftgröße.</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>Handbuch durchsuchen</translation>
    </message>
    <message>
        <source>List the sections that contain all these words (Ctrl+F). Enter or F3 moves to the next occurrence.</source>
        <translation>Die Abschnitte auflisten, die alle diese Wörter enthalten (Strg+F). Eingabetaste oder F3 springt zur nächsten Fundstelle.</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Pages and sections of the manual</source>
        <translation>Seiten und Abschnitte des Handbuchs</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Go back to the previous page</source>
        <translation>Zur vorigen Seite zurückgehen</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Go forward to the next page</source>
        <translation>Zur nächsten Seite vorgehen</translation>
    </message>
    <message>
        <source>Go to the first page</source>
        <translation>Zur ersten Seite gehen</translation>
    </message>
    <message>
        <source>%1 › %2</source>
        <translation>%1 › %2</translation>
    </message>
    <message>
        <source>Sections found: %1</source>
        <translation>Gefundene Abschnitte: %1</translation>
    </message>
</context>
<context>
    <name>parallax::ui::MessageBar</name>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
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
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
</context>
<context>
    <name>parallax::ui::MessageLogDialog</name>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>Close the list (Esc)</source>
        <translation>Die Liste schließen (Esc)</translation>
    </message>
    <message>
        <source>Why: %1</source>
        <translation>Warum: %1</translation>
    </message>
    <message>
        <source>What to do: %1</source>
        <translation>Abhilfe: %1</translation>
    </message>
    <message>
        <source>Messages, %1 new</source>
        <translation>Meldungen, %1 neu</translation>
    </message>
    <message>
        <source>Messages of this session, newest last</source>
        <translation>Meldungen dieser Sitzung, die neueste zuletzt</translation>
    </message>
    <message>
        <source>Selected message</source>
        <translation>Ausgewählte Meldung</translation>
    </message>
    <message>
        <source>Details of the selected message</source>
        <translation>Einzelheiten der ausgewählten Meldung</translation>
    </message>
    <message>
        <source>Copy the selected messages, or all if none is selected, as text (Ctrl+C)</source>
        <translation>Die ausgewählten Meldungen, ohne Auswahl alle, als Text kopieren (Strg+C)</translation>
    </message>
    <message>
        <source>Delete all messages from the list</source>
        <translation>Alle Meldungen aus der Liste löschen</translation>
    </message>
    <message>
        <source>No messages yet.</source>
        <translation>Noch keine Meldungen.</translation>
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
    <message>
        <source>Memory taken by the float32 samples</source>
        <translation>Von den float32-Werten belegter Speicher</translation>
    </message>
    <message>
        <source>How stored values are decoded to the linear light that operations use</source>
        <translation>Wie gespeicherte Werte in das lineare Licht dekodiert werden, mit dem Operationen arbeiten</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>verborgen</translation>
    </message>
    <message>
        <source>Paths of medical files may identify a patient. Edit &gt; Settings can show them.</source>
        <translation>Pfade medizinischer Dateien können Patienten erkennen lassen. Bearbeiten &gt; Einstellungen kann sie zeigen.</translation>
    </message>
    <message>
        <source>Patient data: %1</source>
        <translation>Patientendaten: %1</translation>
    </message>
    <message>
        <source>%1 in a scratch file, since memory is short</source>
        <translation>%1 in einer Auslagerungsdatei, da der Speicher knapp ist</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PairMetrics</name>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PaneData</name>
    <message>
        <source>Preparing the view</source>
        <translation>Die Ansicht wird vorbereitet</translation>
    </message>
    <message>
        <source>Computing the histogram</source>
        <translation>Das Histogramm wird berechnet</translation>
    </message>
    <message>
        <source>Computing statistics of the selection</source>
        <translation>Kennzahlen der Auswahl werden berechnet</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PaneSettings</name>
    <message>
        <source>Panes</source>
        <translation>Bildflächen</translation>
    </message>
    <message>
        <source>Compared panes. The steps, parameters and input below are those of the chosen one.</source>
        <translation>Verglichene Bildflächen. Schritte, Parameter und Eingabe darunter gehören zur gewählten.</translation>
    </message>
    <message>
        <source>Add a pane, a duplicate of the active one</source>
        <translation>Eine Bildfläche hinzufügen, als Kopie der aktiven</translation>
    </message>
    <message>
        <source>Remove the active pane; two always remain</source>
        <translation>Die aktive Bildfläche entfernen; zwei bleiben immer</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Input of the pane</source>
        <translation>Eingabe der Bildfläche</translation>
    </message>
    <message>
        <source>Image that the steps of this pane process: the open image, which the other files replace when they are shown, or a file of its own.</source>
        <translation>Bild, das die Schritte dieser Bildfläche verarbeiten: das geöffnete Bild, das wechselt, wenn eine andere Datei gezeigt wird, oder eine eigene Datei.</translation>
    </message>
    <message>
        <source>Same steps as A</source>
        <translation>Gleiche Schritte wie A</translation>
    </message>
    <message>
        <source>Compute this pane with the steps of A. Without the check mark it has steps of its own, at first a copy.</source>
        <translation>Diese Bildfläche mit den Schritten von A berechnen. Ohne Häkchen hat sie eigene Schritte, anfangs eine Kopie.</translation>
    </message>
    <message>
        <source>Backend of %1</source>
        <translation>Backend von %1</translation>
    </message>
    <message>
        <source>Backend and variant that compute result %1. The tooltip of an unavailable backend says why.</source>
        <translation>Backend und Variante, die Ergebnis %1 berechnen. Der Tooltip eines nicht verfügbaren Backends nennt den Grund.</translation>
    </message>
    <message>
        <source>Pane %1: %2</source>
        <translation>Bildfläche %1: %2</translation>
    </message>
    <message>
        <source>Reference of the difference</source>
        <translation>Referenz der Differenz</translation>
    </message>
    <message>
        <source>Device of %1</source>
        <translation>Gerät von %1</translation>
    </message>
    <message>
        <source>Device that computes result %1.</source>
        <translation>Gerät, das Ergebnis %1 berechnet.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Threads of %1</source>
        <translation>Threads von %1</translation>
    </message>
    <message>
        <source>Number of CPU threads that compute result %1.</source>
        <translation>Anzahl der CPU-Threads, die Ergebnis %1 berechnen.</translation>
    </message>
    <message>
        <source>All threads</source>
        <translation>Alle Threads</translation>
    </message>
    <message>
        <source>Open image (%1)</source>
        <translation>Geöffnetes Bild (%1)</translation>
    </message>
    <message>
        <source>Open image</source>
        <translation>Geöffnetes Bild</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Steps as A</source>
        <translation>Schritte wie A</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Light of the pane</source>
        <translation>Licht der Bildfläche</translation>
    </message>
    <message>
        <source>The steps of this pane work on linear light, or on encoded values like programs that filter the stored codes. Panes, differences and files have linear light in either case.</source>
        <translation>Die Schritte dieser Bildfläche arbeiten auf linearem Licht, oder auf kodierten Werten wie Programme, die gespeicherte Codes filtern. Bildflächen, Differenzen und Dateien haben in jedem Fall lineares Licht.</translation>
    </message>
    <message>
        <source>Linear light</source>
        <translation>Lineares Licht</translation>
    </message>
    <message>
        <source>Encoded values</source>
        <translation>Kodierte Werte</translation>
    </message>
    <message>
        <source>Ranks of %1</source>
        <translation>Ränge von %1</translation>
    </message>
    <message>
        <source>Number of MPI ranks that compute result %1, each a part of the image.</source>
        <translation>Anzahl der MPI-Ränge, die Ergebnis %1 berechnen, jeder einen Teil des Bildes.</translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 Rang</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 Ränge</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ParameterForm</name>
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
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>Pick %1 from the image</source>
        <translation>%1 aus dem Bild wählen</translation>
    </message>
    <message>
        <source>Pick from the image: click a pixel, or press Enter for the one in the middle of a pane. The value of the original counts. Esc cancels.</source>
        <translation>Aus dem Bild wählen: auf ein Pixel klicken oder mit der Eingabetaste das in der Mitte einer Bildfläche nehmen. Es zählt der Wert des Originals. Esc bricht ab.</translation>
    </message>
    <message>
        <source>Edit as grid …</source>
        <translation>Als Tabelle bearbeiten …</translation>
    </message>
    <message>
        <source>Edit the matrix as a grid, with its sum, rank and frequency response (%1)</source>
        <translation>Die Matrix als Tabelle bearbeiten, mit Summe, Rang und Frequenzgang (%1)</translation>
    </message>
    <message>
        <source>Edit %1 as grid</source>
        <translation>%1 als Tabelle bearbeiten</translation>
    </message>
    <message>
        <source>Reset to the default: %1</source>
        <translation>Auf die Vorgabe zurücksetzen: %1</translation>
    </message>
    <message>
        <source>Contact sheet of this parameter …</source>
        <translation>Kontaktbogen dieses Parameters …</translation>
    </message>
    <message>
        <source>Reset to the default</source>
        <translation>Auf den Vorgabewert zurücksetzen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PartBar</name>
    <message>
        <source>part %1</source>
        <translation>Teil %1</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>view</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Part of the file</source>
        <translation>Teil der Datei</translation>
    </message>
    <message>
        <source>Part, layer or view of the OpenEXR file to show. Panes and pipeline stay. In commands: FILE#PART</source>
        <translation>Gezeigter Teil, gezeigte Ebene oder Ansicht der OpenEXR-Datei. Bildflächen und Schritte bleiben. In Befehlen: DATEI#TEIL</translation>
    </message>
    <message>
        <source>All channels · %1</source>
        <translation>Alle Kanäle · %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
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
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation>%1 duplizieren</translation>
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
    <message>
        <source>all steps off</source>
        <translation>alle Schritte aus</translation>
    </message>
    <message>
        <source>Duplicate pane %1</source>
        <translation>Bildfläche %1 duplizieren</translation>
    </message>
    <message>
        <source>Add a pane</source>
        <translation>Bildfläche hinzufügen</translation>
    </message>
    <message>
        <source>Remove pane %1</source>
        <translation>Bildfläche %1 entfernen</translation>
    </message>
    <message>
        <source>Swap %1 and %2</source>
        <translation>%1 und %2 tauschen</translation>
    </message>
    <message>
        <source>Use %1 as reference</source>
        <translation>%1 als Referenz verwenden</translation>
    </message>
    <message>
        <source>Backend of %1 → %2</source>
        <translation>Backend von %1 → %2</translation>
    </message>
    <message>
        <source>Own steps for %1</source>
        <translation>Eigene Schritte für %1</translation>
    </message>
    <message>
        <source>Shared steps for %1</source>
        <translation>Gemeinsame Schritte für %1</translation>
    </message>
    <message>
        <source>Steps of %1 as %2</source>
        <translation>Schritte von %1 wie %2</translation>
    </message>
    <message>
        <source>Use the steps of %1</source>
        <translation>Die Schritte von %1 verwenden</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 verwenden</translation>
    </message>
    <message>
        <source>Close the contact sheet</source>
        <translation>Kontaktbogen schließen</translation>
    </message>
    <message>
        <source>Inputs of %1 to %2</source>
        <translation>Eingaben von %1 bis %2</translation>
    </message>
    <message>
        <source>Input of %1</source>
        <translation>Eingabe von %1</translation>
    </message>
    <message>
        <source>Encoded values in %1</source>
        <translation>Kodierte Werte in %1</translation>
    </message>
    <message>
        <source>Linear light in %1</source>
        <translation>Lineares Licht in %1</translation>
    </message>
    <message>
        <source>Keep NaN and infinity</source>
        <translation>NaN und Unendlich behalten</translation>
    </message>
    <message>
        <source>Replace NaN and infinity</source>
        <translation>NaN und Unendlich ersetzen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PipelinePanel</name>
    <message>
        <source>Steps of the pipeline</source>
        <translation>Schritte der Pipeline</translation>
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
    <message>
        <source>Steps in the order in which they run. Drag to reorder; the check mark or Space switches a step on and off.</source>
        <translation>Schritte in der Reihenfolge ihrer Ausführung. Zum Umordnen ziehen; das Häkchen oder die Leertaste schaltet einen Schritt ein und aus.</translation>
    </message>
    <message>
        <source>Remove the selected step</source>
        <translation>Den ausgewählten Schritt entfernen</translation>
    </message>
    <message>
        <source>Move the selected step up</source>
        <translation>Den ausgewählten Schritt nach oben verschieben</translation>
    </message>
    <message>
        <source>Move the selected step down</source>
        <translation>Den ausgewählten Schritt nach unten verschieben</translation>
    </message>
    <message>
        <source>Duplicate the selected step</source>
        <translation>Den ausgewählten Schritt duplizieren</translation>
    </message>
    <message>
        <source>Statistics of the last run:</source>
        <translation>Kennzahlen des letzten Durchlaufs:</translation>
    </message>
    <message>
        <source>Steps of %1</source>
        <translation>Schritte von %1</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PixelModel</name>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>%1 − %2</source>
        <translation>%1 − %2</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PixelPicker</name>
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
        <source>Picking needs an image</source>
        <translation>Zum Wählen eines Pixels ist ein Bild nötig</translation>
    </message>
    <message>
        <source>Open an image</source>
        <translation>Ein Bild öffnen</translation>
    </message>
    <message>
        <source>Click a pixel, or press Enter for the one in the middle of a pane. Esc cancels.</source>
        <translation>Ein Pixel anklicken oder mit der Eingabetaste das in der Mitte einer Bildfläche wählen. Esc bricht ab.</translation>
    </message>
    <message>
        <source>Click another pixel, or cancel with Esc</source>
        <translation>Ein anderes Pixel anklicken oder mit Esc abbrechen</translation>
    </message>
    <message>
        <source>The pixel is outside the original</source>
        <translation>Das Pixel liegt außerhalb des Originals</translation>
    </message>
    <message>
        <source>the original has %1</source>
        <translation>das Original hat %1</translation>
    </message>
    <message>
        <source>Cannot take %1 from this pixel</source>
        <translation>Aus diesem Pixel lässt sich kein Wert für %1 übernehmen</translation>
    </message>
    <message>
        <source>its samples are NaN or infinite</source>
        <translation>seine Werte sind NaN oder unendlich</translation>
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
        <source>&amp;Rename …</source>
        <translation>&amp;Umbenennen …</translation>
    </message>
    <message>
        <source>&amp;Delete …</source>
        <translation>&amp;Löschen …</translation>
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
        <source>Replace the preset?</source>
        <translation>Voreinstellung ersetzen?</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
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
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Select built-in parameters or your own presets</source>
        <translation>Mitgelieferte Parameter oder eigene Voreinstellungen auswählen</translation>
    </message>
    <message>
        <source>&amp;Save preset …</source>
        <translation>Voreinstellung &amp;speichern …</translation>
    </message>
    <message>
        <source>Save the parameters of this step as a preset</source>
        <translation>Die Parameter dieses Schritts als Voreinstellung speichern</translation>
    </message>
    <message>
        <source>Rename the selected preset</source>
        <translation>Die ausgewählte Voreinstellung umbenennen</translation>
    </message>
    <message>
        <source>Delete the selected preset</source>
        <translation>Die ausgewählte Voreinstellung löschen</translation>
    </message>
    <message>
        <source>Your presets</source>
        <translation>Eigene Voreinstellungen</translation>
    </message>
    <message>
        <source>Save preset</source>
        <translation>Voreinstellung speichern</translation>
    </message>
    <message>
        <source>Preset name</source>
        <translation>Name der Voreinstellung</translation>
    </message>
    <message>
        <source>A preset “%1” exists already. Replace it?</source>
        <translation>Eine Voreinstellung „%1“ ist bereits vorhanden. Ersetzen?</translation>
    </message>
    <message>
        <source>Rename preset</source>
        <translation>Voreinstellung umbenennen</translation>
    </message>
    <message>
        <source>Delete the preset “%1”? The parameters of the step are kept.</source>
        <translation>Voreinstellung „%1“ löschen? Die Parameter des Schritts bleiben erhalten.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::PresetGallery</name>
    <message>
        <source>Preset %1</source>
        <translation>Voreinstellung %1</translation>
    </message>
    <message>
        <source>The picture is made from a smaller version of the image and may differ.</source>
        <translation>Das Bild stammt von einer kleineren Fassung der Aufnahme und kann abweichen.</translation>
    </message>
    <message>
        <source>Previews of the presets</source>
        <translation>Vorschauen der Voreinstellungen</translation>
    </message>
    <message>
        <source>Computed by the backend %1: %2</source>
        <translation>Berechnet vom Backend %1: %2</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Previews</name>
    <message>
        <source>Preparing previews</source>
        <translation>Vorschauen werden vorbereitet</translation>
    </message>
</context>
<context>
    <name>parallax::ui::QuitDialog</name>
    <message>
        <source>Quit Parallax</source>
        <translation>Parallax beenden</translation>
    </message>
    <message>
        <source>A file is being saved.</source>
        <translation>Eine Datei wird gespeichert.</translation>
    </message>
    <message>
        <source>A measurement is running.</source>
        <translation>Eine Messung läuft.</translation>
    </message>
    <message>
        <source>Quitting now discards the unfinished file.</source>
        <translation>Beim Beenden geht die unfertige Datei verloren.</translation>
    </message>
    <message>
        <source>Parallax quits automatically when the work is finished.</source>
        <translation>Parallax wird automatisch beendet, sobald die Arbeit fertig ist.</translation>
    </message>
    <message>
        <source>&amp;Quit anyway</source>
        <translation>Trotzdem &amp;beenden</translation>
    </message>
    <message>
        <source>Stop the work and quit</source>
        <translation>Die Arbeit abbrechen und beenden</translation>
    </message>
    <message>
        <source>Quitting now discards the results of the measurement.</source>
        <translation>Beim Beenden gehen die Ergebnisse der Messung verloren.</translation>
    </message>
    <message>
        <source>A batch is running.</source>
        <translation>Ein Stapel läuft.</translation>
    </message>
    <message>
        <source>Quitting now stops the batch; files that are already saved are kept.</source>
        <translation>Beim Beenden bricht der Stapel ab; bereits gespeicherte Dateien bleiben erhalten.</translation>
    </message>
    <message>
        <source>&amp;Stay open</source>
        <translation>&amp;Offen bleiben</translation>
    </message>
    <message>
        <source>Let the work continue and keep the window open afterwards (Esc)</source>
        <translation>Die Arbeit fortsetzen und das Fenster danach offen lassen (Esc)</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RawDialog</name>
    <message>
        <source>big-endian</source>
        <translation>Big-Endian</translation>
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
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Open raw samples</source>
        <translation>Rohwerte öffnen</translation>
    </message>
    <message>
        <source>little-endian</source>
        <translation>Little-Endian</translation>
    </message>
    <message>
        <source> bytes</source>
        <translation> Bytes</translation>
    </message>
    <message>
        <source> mm</source>
        <translation> mm</translation>
    </message>
    <message>
        <source>Middle slice</source>
        <translation>Mittlere Schicht</translation>
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
        <source>&amp;Unit</source>
        <translation>&amp;Einheit</translation>
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
        <source>%1 NaN or infinite</source>
        <translation>%1 NaN oder unendlich</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 Schichten</translation>
    </message>
    <message>
        <source>Samples per row (cols)</source>
        <translation>Werte je Zeile (cols)</translation>
    </message>
    <message>
        <source>Rows per slice</source>
        <translation>Zeilen je Schicht (rows)</translation>
    </message>
    <message>
        <source>Number of slices (depth); 1 for an image</source>
        <translation>Anzahl der Schichten (depth); 1 bei einem Bild</translation>
    </message>
    <message>
        <source>%1 (%2 bytes) has no header that Parallax knows. Enter its layout.</source>
        <translation>%1 (%2 Bytes) hat keinen Dateikopf, den Parallax kennt. Bitte den Aufbau angeben.</translation>
    </message>
    <message>
        <source>Flat float32 file: index depth*rows*cols + row*cols + col</source>
        <translation>Flache float32-Datei: Index depth*rows*cols + row*cols + col</translation>
    </message>
    <message>
        <source>Custom (as entered below)</source>
        <translation>Eigene Angaben (siehe unten)</translation>
    </message>
    <message>
        <source>Suggested formats, from earlier entries, the file name and the file size. A flat float32 file is little-endian and has no header.</source>
        <translation>Vorgeschlagene Formate, abgeleitet aus früheren Eingaben, Dateiname und Dateigröße. Eine flache float32-Datei ist Little-Endian und hat keinen Dateikopf.</translation>
    </message>
    <message>
        <source>Sample type as stored: signed (int) or unsigned (uint) integers with their bits, or floating-point numbers</source>
        <translation>Gespeicherter Datentyp der Werte: Ganzzahlen mit (int) oder ohne Vorzeichen (uint) und ihre Bitzahl oder Gleitkommazahlen</translation>
    </message>
    <message>
        <source>Byte order of the samples: little-endian (Intel, ARM) or big-endian. A wrong choice makes the preview look like noise.</source>
        <translation>Bytefolge der Werte: Little-Endian (Intel, ARM) oder Big-Endian. Bei falscher Wahl sieht die Vorschau wie Rauschen aus.</translation>
    </message>
    <message>
        <source>Number of bytes before the first sample, such as a header</source>
        <translation>Anzahl der Bytes vor dem ersten Wert, zum Beispiel ein Dateikopf</translation>
    </message>
    <message>
        <source>Column spacing</source>
        <translation>Spaltenabstand</translation>
    </message>
    <message>
        <source>Row spacing</source>
        <translation>Zeilenabstand</translation>
    </message>
    <message>
        <source>Slice spacing</source>
        <translation>Schichtabstand</translation>
    </message>
    <message>
        <source>Voxel spacing along x, y and z; sets the aspect ratio</source>
        <translation>Voxelabstand entlang x, y und z; bestimmt das Seitenverhältnis</translation>
    </message>
    <message>
        <source>Unit of the values, such as HU for computed tomography (optional)</source>
        <translation>Einheit der Werte, zum Beispiel HU bei Computertomographie (optional)</translation>
    </message>
    <message>
        <source>Suggested changes</source>
        <translation>Änderungsvorschläge</translation>
    </message>
    <message>
        <source>Click a change to make the entries fit the file</source>
        <translation>Auf eine Änderung klicken, damit die Angaben zur Datei passen</translation>
    </message>
    <message>
        <source>Preview of the middle slice. A wrong width makes it slanted; a wrong type or byte order makes it noise.</source>
        <translation>Vorschau der mittleren Schicht. Bei falscher Breite erscheint sie schräg, bei falschem Typ oder falscher Bytefolge als Rauschen.</translation>
    </message>
    <message>
        <source>Suggested &amp;formats</source>
        <translation>&amp;Formatvorschläge</translation>
    </message>
    <message>
        <source>S&amp;pacing</source>
        <translation>Abstän&amp;de</translation>
    </message>
    <message>
        <source>✕ Too large: the number of bytes exceeds 64 bits.</source>
        <translation>✕ Zu groß: Die Anzahl der Bytes überschreitet 64 Bit.</translation>
    </message>
    <message>
        <source>✓ Fits the file: %1 bytes of samples at offset %2.</source>
        <translation>✓ Passt zur Datei: %1 Bytes an Werten ab Versatz %2.</translation>
    </message>
    <message>
        <source>✕ Does not fit: %1 bytes are needed, the file is %2 bytes too short.</source>
        <translation>✕ Passt nicht: %1 Bytes sind nötig, die Datei ist %2 Bytes zu kurz.</translation>
    </message>
    <message>
        <source>✕ Does not fit: %1 bytes are needed, the file has %2 bytes more.</source>
        <translation>✕ Passt nicht: %1 Bytes sind nötig, die Datei hat %2 Bytes mehr.</translation>
    </message>
    <message>
        <source>1 slice</source>
        <translation>1 Schicht</translation>
    </message>
    <message>
        <source>No single change fits the file.</source>
        <translation>Keine einzelne Änderung passt zur Datei.</translation>
    </message>
    <message>
        <source>Would fit: %1</source>
        <translation>Passend wäre: %1</translation>
    </message>
    <message>
        <source>No preview</source>
        <translation>Keine Vorschau</translation>
    </message>
    <message>
        <source>Slice %1 / %2: %3</source>
        <translation>Schicht %1 / %2: %3</translation>
    </message>
    <message>
        <source>Slice %1 / %2: values %3 to %4</source>
        <translation>Schicht %1 / %2: Werte von %3 bis %4</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RecentFiles</name>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>no permission to read</source>
        <translation>keine Leseberechtigung</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RegionMosaic</name>
    <message>
        <source>Mosaic of the sub-bands</source>
        <translation>Mosaik der Teilbänder</translation>
    </message>
    <message>
        <source>%1: %2, level %3
Coefficient (%4): %5
Gain for viewing: %6</source>
        <translation>%1: %2, Stufe %3
Koeffizient (%4): %5
Verstärkung der Ansicht: %6</translation>
    </message>
    <message>
        <source>Arrow keys: next sub-band. Enter: show it alone. Page Up, Page Down: slices. Plus, minus: gain of the sub-band.</source>
        <translation>Pfeiltasten: nächstes Teilband. Eingabetaste: nur dieses zeigen. Bild auf, Bild ab: Schichten. Plus, Minus: Verstärkung des Teilbands.</translation>
    </message>
    <message>
        <source>No sub-band has samples here</source>
        <translation>Kein Teilband hat hier Werte</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RegionPanel</name>
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
        <source>Slice of the mosaic</source>
        <translation>Schicht des Mosaiks</translation>
    </message>
    <message>
        <source>Channel of the sub-bands</source>
        <translation>Kanal der Teilbänder</translation>
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
        <source>All automatic</source>
        <translation>Alle automatisch</translation>
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
        <source>Gain</source>
        <translation>Verstärkung</translation>
    </message>
    <message>
        <source>Gain of %1</source>
        <translation>Verstärkung von %1</translation>
    </message>
    <message>
        <source>Statistics of the sub-bands. Enter or a double click shows one alone. Ctrl+C copies the selection.</source>
        <translation>Kennzahlen der Teilbänder. Eingabetaste oder Doppelklick zeigt eines allein. Strg+C kopiert die Auswahl.</translation>
    </message>
    <message>
        <source>Plane of the coefficients to show; images have only one</source>
        <translation>Angezeigte Ebene der Koeffizienten; Bilder haben nur eine</translation>
    </message>
    <message>
        <source>Slice of the coefficients, counted through consecutive sub-bands. The wheel over the mosaic, Page Up and Page Down change it too.</source>
        <translation>Schicht der Koeffizienten, über aufeinanderfolgende Teilbänder hinweg gezählt. Auch das Mausrad über dem Mosaik sowie Bild auf und Bild ab ändern sie.</translation>
    </message>
    <message>
        <source>Channel whose coefficients are shown</source>
        <translation>Kanal, dessen Koeffizienten gezeigt werden</translation>
    </message>
    <message>
        <source>Show only the selected sub-band, enlarged. A click on the mosaic does the same.</source>
        <translation>Nur das ausgewählte Teilband zeigen, vergrößert. Ein Klick ins Mosaik bewirkt dasselbe.</translation>
    </message>
    <message>
        <source>Error of the image reconstructed from these sub-bands against the opened image: largest absolute difference, RMSE and PSNR, which refers to the largest value of the original</source>
        <translation>Fehler des aus diesen Teilbändern rekonstruierten Bilds gegenüber dem geöffneten Bild: größte absolute Differenz, RMSE und PSNR, das sich auf den größten Wert des Originals bezieht</translation>
    </message>
    <message>
        <source>Gain of the selected sub-band</source>
        <translation>Verstärkung des ausgewählten Teilbands</translation>
    </message>
    <message>
        <source>Amplify the selected sub-band in the mosaic. At 1 all details share one scale and the largest coefficient is black or white. Data never change.</source>
        <translation>Das ausgewählte Teilband im Mosaik verstärken. Bei 1 haben alle Details denselben Maßstab, und der größte Koeffizient ist schwarz oder weiß. Die Daten ändern sich nie.</translation>
    </message>
    <message>
        <source>Set each gain so that 95 % of the coefficients of the sub-band lie between black and white</source>
        <translation>Jede Verstärkung so einstellen, dass 95 % der Koeffizienten des Teilbands zwischen Schwarz und Weiß liegen</translation>
    </message>
    <message>
        <source> · NaN or infinity differs: %1</source>
        <translation> · NaN oder Unendlich verschieden: %1</translation>
    </message>
    <message>
        <source> · coefficients from %1</source>
        <translation> · Koeffizienten aus %1</translation>
    </message>
    <message>
        <source>Slice %1 / %2</source>
        <translation>Schicht %1 / %2</translation>
    </message>
    <message>
        <source>The result of %1 has no sub-bands. Add one of these as the last step: %2.</source>
        <translation>Das Ergebnis von %1 hat keine Teilbänder. Eine dieser Operationen als letzten Schritt hinzufügen: %2.</translation>
    </message>
    <message>
        <source>Round trip of %1 against the original: largest error %2, RMSE %3, PSNR %4 dB</source>
        <translation>Hin- und Rücktransformation von %1 gegenüber dem Original: größter Fehler %2, RMSE %3, PSNR %4 dB</translation>
    </message>
    <message>
        <source>Result %1 against the original: largest error %2, RMSE %3, PSNR %4 dB</source>
        <translation>Ergebnis %1 gegenüber dem Original: größter Fehler %2, RMSE %3, PSNR %4 dB</translation>
    </message>
    <message>
        <source>No error of %1 against the original: an earlier step changes the image</source>
        <translation>Kein Fehler von %1 gegenüber dem Original: Ein früherer Schritt verändert das Bild</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RegionStudy</name>
    <message>
        <source>Cancelled. Change a parameter to compute again.</source>
        <translation>Abgebrochen. Für eine neue Berechnung einen Parameter ändern.</translation>
    </message>
    <message>
        <source>Computing the sub-bands</source>
        <translation>Teilbänder werden berechnet</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RenderBar</name>
    <message>
        <source>Mode of the rendering</source>
        <translation>Modus des Renderings</translation>
    </message>
    <message>
        <source>Choose mode, preset and view of the rendering</source>
        <translation>Modus, Voreinstellung und Ansicht des Renderings wählen</translation>
    </message>
    <message>
        <source>Add as step</source>
        <translation>Als Schritt anfügen</translation>
    </message>
    <message>
        <source>Add a step to the pipeline that renders the same picture, so that it can be compared, timed and saved</source>
        <translation>Einen Schritt an die Pipeline anfügen, der dasselbe Bild rendert, um es zu vergleichen, zu messen und zu speichern</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Voreinstellungen</translation>
    </message>
    <message>
        <source>Reset camera</source>
        <translation>Kamera zurücksetzen</translation>
    </message>
    <message>
        <source>Restore the initial camera (Home, or double click)</source>
        <translation>Die anfängliche Kamera wiederherstellen (Pos1 oder Doppelklick)</translation>
    </message>
    <message>
        <source>Single pane or all panes</source>
        <translation>Einzelne Bildfläche oder alle Bildflächen</translation>
    </message>
    <message>
        <source>Show only this rendering, or all panes again (Enter)</source>
        <translation>Nur dieses Rendering zeigen oder wieder alle Bildflächen (Eingabetaste)</translation>
    </message>
    <message>
        <source>Edit curve …</source>
        <translation>Kurve bearbeiten …</translation>
    </message>
    <message>
        <source>Edit transfer function</source>
        <translation>Transferfunktion bearbeiten</translation>
    </message>
    <message>
        <source>Edit colours and opacities over the histogram of the volume while the rendering follows</source>
        <translation>Bearbeitet Farben und Deckkräfte über dem Histogramm des Volumens; das Rendering folgt</translation>
    </message>
    <message>
        <source>Rendered by</source>
        <translation>Gerendert durch</translation>
    </message>
    <message>
        <source>Automatic (GPU if there is one)</source>
        <translation>Automatisch (GPU, falls vorhanden)</translation>
    </message>
    <message>
        <source>Render on the GPU, or on the CPU if there is none or if its memory is short</source>
        <translation>Auf der GPU rendern oder auf der CPU, wenn keine vorhanden ist oder ihr Speicher knapp ist</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Render on the CPU, which leaves the memory of the GPU to results</source>
        <translation>Auf der CPU rendern; der Speicher der GPU bleibt für Ergebnisse frei</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RenderPane</name>
    <message>
        <source>Rendering</source>
        <translation>Rendering</translation>
    </message>
    <message>
        <source>Rendering, %1 %2</source>
        <translation>Rendering, %1 %2</translation>
    </message>
    <message>
        <source>Azimuth %1°, elevation %2°</source>
        <translation>Azimut %1°, Höhenwinkel %2°</translation>
    </message>
    <message>
        <source>Rendering …</source>
        <translation>Rendern …</translation>
    </message>
    <message>
        <source>Drag, arrow keys: turn. Wheel, + and −: zoom. Middle drag or Shift+drag: pan. Double click or Home: initial camera. Enter: single pane or all panes.</source>
        <translation>Ziehen, Pfeiltasten: drehen. Mausrad, + und −: Vergrößerung. Ziehen mit der mittleren Taste oder Umschalt+Ziehen: verschieben. Doppelklick oder Pos1: anfängliche Kamera. Eingabetaste: einzelne Bildfläche oder alle Bildflächen.</translation>
    </message>
    <message>
        <source>Rendering of the volume by %1.</source>
        <translation>Rendering des Volumens durch %1.</translation>
    </message>
    <message>
        <source>The GPU is not used: %1</source>
        <translation>Die GPU wird nicht benutzt: %1</translation>
    </message>
    <message>
        <source>%1, GPU memory is short</source>
        <translation>%1, GPU-Speicher ist knapp</translation>
    </message>
    <message>
        <source>%1, the GPU failed</source>
        <translation>%1, die GPU ist ausgefallen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::RenderPanes</name>
    <message>
        <source>Add rendering</source>
        <translation>Rendering anfügen</translation>
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
        <source>0 cycles/px</source>
        <translation>0 Perioden/px</translation>
    </message>
    <message>
        <source>Gain of the kernel per frequency: zero frequency (the mean) in the middle, the Nyquist frequency (0.5 cycles per pixel) at the edges.</source>
        <translation>Verstärkung des Kerns je Frequenz: in der Mitte die Frequenz null (der Mittelwert), an den Rändern die Nyquist-Frequenz (0,5 Perioden je Pixel).</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ResultPanel</name>
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
        <source>Show sub-bands</source>
        <translation>Teilbänder zeigen</translation>
    </message>
    <message>
        <source>Compared with the original</source>
        <translation>Vergleich mit dem Original</translation>
    </message>
    <message>
        <source>Notes on these parameters</source>
        <translation>Hinweise zu diesen Parametern</translation>
    </message>
    <message>
        <source>Open the panel with mosaic, energies and gains of the sub-bands</source>
        <translation>Das Feld mit Mosaik, Energien und Verstärkungen der Teilbänder öffnen</translation>
    </message>
    <message>
        <source>Difference of the active pane and the reference from their inputs, for pipelines that reconstruct or preserve them. PSNR refers to the largest value of the input.</source>
        <translation>Differenz der aktiven Bildfläche und der Referenz zu ihren Eingaben, für Pipelines, die sie rekonstruieren oder erhalten. PSNR bezieht sich auf den größten Wert der Eingabe.</translation>
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
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>Begrenzt durch</translation>
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
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>Roofline, model counts</source>
        <translation>Roofline nach dem Modell</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>⚠ above every ceiling: check the count and the time</source>
        <translation>⚠ über jeder Leistungsgrenze: Zählung und Zeit prüfen</translation>
    </message>
    <message>
        <source>⚠ above the ceiling: data from a cache, or a wrong count</source>
        <translation>⚠ über der Leistungsgrenze: Daten aus einem Cache oder falsche Zählung</translation>
    </message>
    <message>
        <source>Value of the sweep; empty for the benchmark</source>
        <translation>Wert der Messreihe; beim Benchmark leer</translation>
    </message>
    <message>
        <source>Modelled operations per byte</source>
        <translation>Operationen je Byte nach dem Modell</translation>
    </message>
    <message>
        <source>Modelled operations per second of compute time</source>
        <translation>Operationen je Sekunde Rechenzeit nach dem Modell</translation>
    </message>
    <message>
        <source>Modelled bytes per second of compute time</source>
        <translation>Bytes je Sekunde Rechenzeit nach dem Modell</translation>
    </message>
    <message>
        <source>Ceiling</source>
        <translation>Leistungsgrenze</translation>
    </message>
    <message>
        <source>Highest rate of this machine at this arithmetic intensity</source>
        <translation>Höchste Rate dieses Rechners bei dieser arithmetischen Intensität</translation>
    </message>
    <message>
        <source>Share of that ceiling</source>
        <translation>Anteil an dieser Leistungsgrenze</translation>
    </message>
    <message>
        <source>The ceiling that is lowest here</source>
        <translation>Die hier niedrigste Leistungsgrenze</translation>
    </message>
    <message>
        <source>the CPU</source>
        <translation>die CPU</translation>
    </message>
    <message>
        <source>Large points: benchmark. Small connected points: sweep.</source>
        <translation>Große Punkte: Benchmark. Kleine verbundene Punkte: Messreihe.</translation>
    </message>
    <message>
        <source>The ceilings of %1 are not measured, so its points cannot be compared with them.</source>
        <translation>Für %1 sind keine Leistungsgrenzen gemessen; die Punkte lassen sich daher nicht damit vergleichen.</translation>
    </message>
    <message>
        <source>Measurements from another machine (%1) are hidden.</source>
        <translation>Messungen von einem anderen Rechner (%1) sind ausgeblendet.</translation>
    </message>
    <message>
        <source>Roofline

Press Benchmark to compare each backend with the peak rates of this machine, and Measure ceilings to measure these.</source>
        <translation>Roofline

„Benchmark“ vergleicht jedes Backend mit den Spitzenraten dieses Rechners, „Leistungsgrenzen messen“ misst diese.</translation>
    </message>
    <message>
        <source>Roofline

No sweep has been measured yet.</source>
        <translation>Roofline

Noch wurde keine Messreihe gemessen.</translation>
    </message>
    <message>
        <source>Roofline

No benchmark of this image has been measured yet.</source>
        <translation>Roofline

Noch wurde kein Benchmark dieses Bilds gemessen.</translation>
    </message>
    <message>
        <source>operations per byte [FLOP/byte]</source>
        <translation>Operationen je Byte [FLOP/Byte]</translation>
    </message>
    <message>
        <source>Operations per second over operations per byte. Slanted lines are measured memory bandwidths, level lines measured arithmetic rates. Operations and bytes follow a model of the least work; no hardware counters are read. Large filled points: last benchmark; small connected points: last sweep. Double-click a point to show that run in B.</source>
        <translation>Operationen je Sekunde über Operationen je Byte. Schräge Linien sind gemessene Speicherbandbreiten, waagerechte gemessene Rechenraten. Operationen und Bytes folgen einem Modell der geringsten Arbeit; Hardwarezähler werden nicht gelesen. Große gefüllte Punkte: letzter Benchmark; kleine verbundene Punkte: letzte Messreihe. Ein Doppelklick auf einen Punkt zeigt diesen Durchlauf in B.</translation>
    </message>
    <message>
        <source>
%1 of the ceiling of %2</source>
        <translation>
%1 der Grenze von %2</translation>
    </message>
    <message>
        <source>Gsample/s</source>
        <translation>GWert/s</translation>
    </message>
    <message>
        <source>Samples of the input per second of compute time: pixels or voxels times channels</source>
        <translation>Werte der Eingabe je Sekunde Rechenzeit: Pixel oder Voxel mal Kanäle</translation>
    </message>
    <message>
        <source>Ceiling of %1: %2 Gsample/s, bound by %3</source>
        <translation>Leistungsgrenze von %1: %2 GWert/s, begrenzt durch %3</translation>
    </message>
    <message>
        <source>%1: %2 GFLOP/s, %3 GB/s, %4 Gsample/s at %5 FLOP/byte</source>
        <translation>%1: %2 GFLOP/s, %3 GB/s, %4 GWert/s bei %5 FLOP/Byte</translation>
    </message>
</context>
<context>
    <name>parallax::ui::SaveDataDialog</name>
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
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>&amp;Choose …</source>
        <translation>&amp;Wählen …</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
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
        <source>This is a folder.</source>
        <translation>Dies ist ein Ordner.</translation>
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
        <source>The &amp;views, as PNG</source>
        <translation>Die &amp;Ansichten, als PNG</translation>
    </message>
    <message>
        <source>The &amp;report, as HTML</source>
        <translation>Den Be&amp;richt, als HTML</translation>
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
        <source>volume</source>
        <translation>volumen</translation>
    </message>
    <message>
        <source>Leave &amp;alpha out</source>
        <translation>Al&amp;pha weglassen</translation>
    </message>
    <message>
        <source>Linear light with a shared exponent: about 1 % precision, no negative values, no alpha.</source>
        <translation>Lineares Licht mit gemeinsamem Exponenten: etwa 1 % Genauigkeit, keine negativen Werte, kein Alpha.</translation>
    </message>
    <message>
        <source>sRGB with lossy compression: for viewing, not for further computation.</source>
        <translation>sRGB, verlustbehaftet komprimiert: zum Ansehen, nicht zum Weiterrechnen.</translation>
    </message>
    <message>
        <source>Samples exactly as computed.</source>
        <translation>Werte genau wie berechnet.</translation>
    </message>
    <message>
        <source>11 bits of precision, values up to 65,504.</source>
        <translation>11 Bit Genauigkeit, Werte bis 65.504.</translation>
    </message>
    <message>
        <source>65,536 levels. Values below 0 and above 1 are clipped.</source>
        <translation>65.536 Stufen. Werte unter 0 und über 1 werden abgeschnitten.</translation>
    </message>
    <message>
        <source>256 levels, few of them for dark values. Values below 0 and above 1 are clipped.</source>
        <translation>256 Stufen, wenige davon für dunkle Werte. Werte unter 0 und über 1 werden abgeschnitten.</translation>
    </message>
    <message>
        <source>256 levels. Values below 0 and above 1 are clipped.</source>
        <translation>256 Stufen. Werte unter 0 und über 1 werden abgeschnitten.</translation>
    </message>
    <message>
        <source>Sample type of the source, where the format supports it.</source>
        <translation>Datentyp der Quelle, sofern das Format ihn unterstützt.</translation>
    </message>
    <message>
        <source>Save the colour channels without alpha, for images whose alpha is meaningless, such as after edge detection</source>
        <translation>Farbkanäle ohne Alpha speichern, für Bilder mit bedeutungslosem Alpha, zum Beispiel nach einer Kantenerkennung</translation>
    </message>
    <message>
        <source>Save all of these, one file each</source>
        <translation>Alle diese speichern, je eine Datei</translation>
    </message>
    <message>
        <source>Image to save. Settings of the view (exposure, colours) are not applied.</source>
        <translation>Zu speicherndes Bild. Einstellungen der Ansicht (Belichtung, Farben) werden nicht angewendet.</translation>
    </message>
    <message>
        <source>File format. OpenEXR, TIFF and PFM store floats; OpenEXR also stores channel names, metadata and the pipeline.</source>
        <translation>Dateiformat. OpenEXR, TIFF und PFM speichern Gleitkommazahlen; OpenEXR auch Kanalnamen, Metadaten und die Pipeline.</translation>
    </message>
    <message>
        <source>Sample type in the file</source>
        <translation>Datentyp der Werte in der Datei</translation>
    </message>
    <message>
        <source>Encoding of stored values. sRGB spaces them like perceived brightness; linear light is proportional to energy. The file states which one it uses.</source>
        <translation>Kodierung der gespeicherten Werte. sRGB stuft sie nach der wahrgenommenen Helligkeit ab; lineares Licht ist proportional zur Energie. Die Datei gibt an, welche sie verwendet.</translation>
    </message>
    <message>
        <source>File name pattern</source>
        <translation>Muster der Dateinamen</translation>
    </message>
    <message>
        <source>Also save the panes as displayed, with colours, labels and marks</source>
        <translation>Auch die Bildflächen wie angezeigt speichern, mit Farben, Beschriftung und Markierungen</translation>
    </message>
    <message>
        <source>Also save the report of the last benchmark</source>
        <translation>Auch den Bericht des letzten Benchmarks speichern</translation>
    </message>
    <message>
        <source>Destination: a file or, for several images, a folder</source>
        <translation>Ziel: eine Datei oder, bei mehreren Bildern, ein Ordner</translation>
    </message>
    <message>
        <source>Select the destination in a file dialog</source>
        <translation>Ziel in einem Dateidialog wählen</translation>
    </message>
    <message>
        <source>Save the file (Enter)</source>
        <translation>Datei speichern (Enter)</translation>
    </message>
    <message>
        <source>Close without saving (Esc)</source>
        <translation>Ohne Speichern schließen (Esc)</translation>
    </message>
    <message>
        <source>Enter a file name.</source>
        <translation>Bitte einen Dateinamen eingeben.</translation>
    </message>
    <message>
        <source>This folder does not exist.</source>
        <translation>Dieser Ordner existiert nicht.</translation>
    </message>
    <message>
        <source>Enter a name pattern without a folder.</source>
        <translation>Bitte ein Namensmuster ohne Ordner eingeben.</translation>
    </message>
    <message>
        <source>The result is still being computed.</source>
        <translation>Das Ergebnis wird noch berechnet.</translation>
    </message>
    <message>
        <source>%1 is missing: it could not be computed.</source>
        <translation>%1 fehlt: Die Berechnung war nicht möglich.</translation>
    </message>
    <message>
        <source>Nothing has been measured yet. Press Ctrl+B first.</source>
        <translation>Noch wurde nichts gemessen. Zuerst Strg+B drücken.</translation>
    </message>
    <message>
        <source>%1 cannot hold this image.</source>
        <translation>%1 kann dieses Bild nicht aufnehmen.</translation>
    </message>
    <message>
        <source>⚠ %1 exists and will be replaced</source>
        <translation>⚠ %1 ist vorhanden und wird ersetzt</translation>
    </message>
    <message>
        <source>Saves to %1</source>
        <translation>Speichert nach %1</translation>
    </message>
    <message>
        <source>Difference %1</source>
        <translation>Differenz %1</translation>
    </message>
    <message>
        <source>Result %1</source>
        <translation>Ergebnis %1</translation>
    </message>
    <message>
        <source>Save original</source>
        <translation>Original speichern</translation>
    </message>
    <message>
        <source>Save difference %1</source>
        <translation>Differenz %1 speichern</translation>
    </message>
    <message>
        <source>Save result %1</source>
        <translation>Ergebnis %1 speichern</translation>
    </message>
    <message>
        <source>Save all images</source>
        <translation>Alle Bilder speichern</translation>
    </message>
    <message>
        <source>Saving …</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Resample to a regular &amp;grid</source>
        <translation>Auf ein regelmäßiges &amp;Gitter umrechnen</translation>
    </message>
    <message>
        <source>Save uneven or sheared slices at equal distances with axes at right angles, by linear interpolation, for programs that know no others</source>
        <translation>Ungleichmäßige oder gescherte Schichten in gleichen Abständen mit rechtwinkligen Achsen speichern, linear interpoliert, für Programme, die keine anderen kennen</translation>
    </message>
    <message>
        <source>Values in 16 bits with slope and intercept; the largest error is reported. Colours in 8 bits (sRGB).</source>
        <translation>Werte in 16 Bit mit Steigung und Achsenabschnitt; der größte Fehler wird genannt. Farben in 8 Bit (sRGB).</translation>
    </message>
    <message>
        <source>Copy &amp;patient data</source>
        <translation>&amp;Patientendaten übernehmen</translation>
    </message>
    <message>
        <source>Copy the attributes of the patient and of the study from the source, and name its images as the source; otherwise they are left out</source>
        <translation>Attribute von Patient und Studie aus der Quelle übernehmen und deren Bilder als Quelle nennen; sonst bleiben sie weg</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ScalingChart</name>
    <message>
        <source>Scaling chart</source>
        <translation>Skalierungsdiagramm</translation>
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
        <source>Speedup over one thread</source>
        <translation>Beschleunigung gegenüber einem Thread</translation>
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
    <message>
        <source>%1: no serial share found (Amdahl).</source>
        <translation>%1: kein serieller Anteil gefunden (Amdahl).</translation>
    </message>
    <message>
        <source>%1: %2 % serial, so at most %3 with any number of threads (Amdahl).</source>
        <translation>%1: %2 % seriell, daher höchstens %3 mit beliebig vielen Threads (Amdahl).</translation>
    </message>
    <message>
        <source>%1: the times do not follow Amdahl&apos;s law (the best fit deviates by %2 %).</source>
        <translation>%1: Die Zeiten folgen nicht Amdahls Gesetz (die beste Anpassung weicht um %2 % ab).</translation>
    </message>
    <message>
        <source>Scaling

Press Measure scaling to measure with 1, 2, 4 and more threads.</source>
        <translation>Skalierung

„Skalierung messen“ misst mit 1, 2, 4 und mehr Threads.</translation>
    </message>
    <message>
        <source>Scaling

No backend has been measured with two different numbers of threads.</source>
        <translation>Skalierung

Noch wurde kein Backend mit zwei verschiedenen Threadzahlen gemessen.</translation>
    </message>
    <message>
        <source>Median compute time</source>
        <translation>Median der Rechenzeit</translation>
    </message>
    <message>
        <source>Speedup by the fitted law at this number of threads</source>
        <translation>Beschleunigung nach dem angepassten Gesetz bei dieser Threadzahl</translation>
    </message>
    <message>
        <source>%1: %2 % serial, so at most %3 with any number of parts (Amdahl).</source>
        <translation>%1: %2 % seriell, daher höchstens %3 mit beliebig vielen Teilen (Amdahl).</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Time with one part divided by this time</source>
        <translation>Zeit mit einem Teil geteilt durch diese Zeit</translation>
    </message>
    <message>
        <source>Speedup divided by the number of parts</source>
        <translation>Beschleunigung geteilt durch die Zahl der Teile</translation>
    </message>
    <message>
        <source>Speedup by the fitted law at this number of parts</source>
        <translation>Beschleunigung nach dem angepassten Gesetz bei dieser Zahl von Teilen</translation>
    </message>
    <message>
        <source>Speedup over one part</source>
        <translation>Beschleunigung gegenüber einem Teil</translation>
    </message>
    <message>
        <source>parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>1 part</source>
        <translation>1 Teil</translation>
    </message>
    <message>
        <source>%1 parts</source>
        <translation>%1 Teile</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>Geräten</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>Rängen</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>die Latenz</translation>
    </message>
    <message>
        <source>bandwidth</source>
        <translation>die Bandbreite</translation>
    </message>
    <message>
        <source>latency of a reduction</source>
        <translation>die Latenz einer Reduktion</translation>
    </message>
    <message>
        <source>%1: no model, because the record does not say what the parts exchanged.</source>
        <translation>%1: kein Modell, weil im Messprotokoll nicht steht, was die Teile ausgetauscht haben.</translation>
    </message>
    <message>
        <source>%1: no model, because %2 exchanges inside of its kernels, where it is not counted.</source>
        <translation>%1: kein Modell, weil %2 innerhalb seiner Kernel austauscht, wo nicht gezählt wird.</translation>
    </message>
    <message>
        <source>%1: no model, because the %2 between %3 was not measured. Press Measure ceilings on the Roofline page.</source>
        <translation>%1: kein Modell, weil %2 zwischen %3 nicht gemessen wurde. „Leistungsgrenzen messen“ auf der Seite Roofline misst sie.</translation>
    </message>
    <message>
        <source>%1: the model (dashed) predicts an efficiency of %2 with %3 parts and %4 with %5 parts.</source>
        <translation>%1: Das Modell (gestrichelt) sagt eine Effizienz von %2 mit %3 Teilen und von %4 mit %5 Teilen voraus.</translation>
    </message>
    <message>
        <source>It deviates from the measured points by %1 % (median), %2 % (worst).</source>
        <translation>Es weicht um %1 % (Median) und höchstens %2 % von den Messpunkten ab.</translation>
    </message>
    <message>
        <source>Time with one part divided by this time, times the number of parts: the work grows with them</source>
        <translation>Zeit mit einem Teil geteilt durch diese Zeit, mal Anzahl der Teile: Die Arbeit wächst mit ihnen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Speedup that the cost model predicts for this number of parts</source>
        <translation>Beschleunigung, die das Kostenmodell für diese Anzahl von Teilen vorhersagt</translation>
    </message>
    <message>
        <source>Weak scaling</source>
        <translation>Schwache Skalierung</translation>
    </message>
    <message>
        <source>Weak scaling: speedup over one part</source>
        <translation>Schwache Skalierung: Beschleunigung gegenüber einem Teil</translation>
    </message>
    <message>
        <source>%1 (model)</source>
        <translation>%1 (Modell)</translation>
    </message>
    <message>
        <source>Speedup of compute over one thread, with 95 % intervals. The straight line is ideal scaling. Thin lines are Amdahl&apos;s law with the serial share that fits best. Dashed coloured lines are predictions of the cost model for more parts; nothing was measured there.</source>
        <translation>Beschleunigung des Rechnens gegenüber einem Thread, mit 95-%-Intervallen. Die Gerade zeigt ideale Skalierung. Dünne Linien zeigen Amdahls Gesetz mit dem am besten passenden seriellen Anteil. Gestrichelte farbige Linien sind Vorhersagen des Kostenmodells für mehr Teile; dort wurde nichts gemessen.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::SelectionPanel</name>
    <message>
        <source>Statistics of the selection</source>
        <translation>Statistik der Auswahl</translation>
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
        <source>%1 NaN or infinite</source>
        <translation>%1 NaN oder unendlich</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>%1 pixels from x %2, y %3</source>
        <translation>%1 Pixel ab x %2, y %3</translation>
    </message>
    <message>
        <source>No selection. Shift+drag over an image, or press S and drag; Ctrl+A selects everything.</source>
        <translation>Keine Auswahl. Umschalt+Ziehen über ein Bild oder S drücken und ziehen; Strg+A wählt alles aus.</translation>
    </message>
    <message>
        <source>min</source>
        <translation>min.</translation>
    </message>
    <message>
        <source>max</source>
        <translation>max.</translation>
    </message>
    <message>
        <source>no finite samples</source>
        <translation>keine endlichen Werte</translation>
    </message>
    <message>
        <source>%1 − %2: max %3, RMSE %4</source>
        <translation>%1 − %2: max. %3, RMSE %4</translation>
    </message>
    <message>
        <source>median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Copy all statistics as a table</source>
        <translation>Alle Kennzahlen als Tabelle kopieren</translation>
    </message>
    <message>
        <source>Finite samples of the selection; σ is their standard deviation, percentages are percentiles</source>
        <translation>Endliche Werte der Auswahl; σ ist ihre Standardabweichung, Prozentangaben sind Perzentile</translation>
    </message>
    <message>
        <source>No selection. Press S and drag over a plane to draw a box; Ctrl+A selects everything.</source>
        <translation>Keine Auswahl. S drücken und über eine Ebene ziehen, um einen Quader zu zeichnen; Strg+A wählt alles aus.</translation>
    </message>
    <message>
        <source>%1 voxels from x %2, y %3, z %4</source>
        <translation>%1 Voxel ab x %2, y %3, z %4</translation>
    </message>
    <message>
        <source>%1 voxels, %2 mm³</source>
        <translation>%1 Voxel, %2 mm³</translation>
    </message>
    <message>
        <source>%1 voxels</source>
        <translation>%1 Voxel</translation>
    </message>
    <message>
        <source>%1: %2 NaN or infinite</source>
        <translation>%1: %2 NaN oder unendlich</translation>
    </message>
    <message>
        <source>mm³</source>
        <translation>mm³</translation>
    </message>
    <message>
        <source>finite</source>
        <translation>endlich</translation>
    </message>
    <message>
        <source>NaN or infinite</source>
        <translation>NaN oder unendlich</translation>
    </message>
</context>
<context>
    <name>parallax::ui::SeriesBar</name>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Show the volumes one after another (P)</source>
        <translation>Zeigt die Volumen nacheinander (P)</translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation>Bilder je Sekunde</translation>
    </message>
    <message>
        <source>Volumes per second while playing. Reading and computing may take longer than a frame; then playing is slower.</source>
        <translation>Volumen je Sekunde beim Abspielen. Dauern Lesen und Rechnen länger als ein Bild, so ist das Abspielen langsamer.</translation>
    </message>
    <message>
        <source> / s</source>
        <translation> / s</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Volumen</translation>
    </message>
    <message>
        <source>Page of the file</source>
        <translation>Seite der Datei</translation>
    </message>
    <message>
        <source>Volume of the file</source>
        <translation>Volumen der Datei</translation>
    </message>
    <message>
        <source>Page of the file to show; the steps are the same for each</source>
        <translation>Gezeigte Seite der Datei; die Schritte sind für alle dieselben</translation>
    </message>
    <message>
        <source>Volume of the file to show, such as a time point; the steps are the same for each</source>
        <translation>Gezeigtes Volumen der Datei, etwa ein Zeitpunkt; die Schritte sind für alle dieselben</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>parallax::ui::SeriesDialog</name>
    <message>
        <source>Choose series</source>
        <translation>Serie wählen</translation>
    </message>
    <message>
        <source>Series in the folder</source>
        <translation>Serien im Ordner</translation>
    </message>
    <message>
        <source>This folder contains %1 series.</source>
        <translation>Dieser Ordner enthält %1 Serien.</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>%1 × %2 mm</source>
        <translation>%1 × %2 mm</translation>
    </message>
    <message>
        <source>%1 × %2 × %3 mm</source>
        <translation>%1 × %2 × %3 mm</translation>
    </message>
    <message>
        <source>Series in the folder: double click or Enter opens one, a click on a title sorts them</source>
        <translation>Serien im Ordner: Doppelklick oder Eingabetaste öffnet eine, ein Klick auf einen Spaltentitel sortiert sie</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>Serie</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Nummer</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Spacing</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>The slice in the middle cannot be shown</source>
        <translation>Die mittlere Schicht lässt sich nicht anzeigen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Session</name>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Run a benchmark first</source>
        <translation>Zuerst einen Benchmark laufen lassen</translation>
    </message>
    <message>
        <source>No image to save yet</source>
        <translation>Noch kein Bild zum Speichern</translation>
    </message>
    <message>
        <source>No report to save yet</source>
        <translation>Noch kein Bericht zum Speichern</translation>
    </message>
    <message>
        <source>no benchmark has been run</source>
        <translation>es wurde kein Benchmark ausgeführt</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Settings</name>
    <message>
        <source>The settings file &apos;%1&apos; is damaged; lines that cannot be read are ignored.</source>
        <translation>Die Einstellungsdatei „%1“ ist beschädigt; unlesbare Zeilen werden übergangen.</translation>
    </message>
    <message>
        <source>%1 is &apos;%2&apos;; %3 is used.</source>
        <translation>%1 ist „%2“; verwendet wird %3.</translation>
    </message>
    <message>
        <source>the default</source>
        <translation>der Standardwert</translation>
    </message>
</context>
<context>
    <name>parallax::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Groups of settings</source>
        <translation>Gruppen der Einstellungen</translation>
    </message>
    <message>
        <source>&amp;Appearance</source>
        <translation>&amp;Aussehen</translation>
    </message>
    <message>
        <source>&amp;Computing</source>
        <translation>&amp;Berechnung</translation>
    </message>
    <message>
        <source>&amp;Files</source>
        <translation>&amp;Dateien</translation>
    </message>
    <message>
        <source>&amp;Privacy and history</source>
        <translation>Daten&amp;schutz und Verlauf</translation>
    </message>
    <message>
        <source>Settings file: %1</source>
        <translation>Einstellungsdatei: %1</translation>
    </message>
    <message>
        <source>Restore the default of every setting</source>
        <translation>Den Standardwert jeder Einstellung wiederherstellen</translation>
    </message>
    <message>
        <source>Close the dialog (Esc); changes are saved already</source>
        <translation>Den Dialog schließen (Esc); Änderungen sind bereits gespeichert</translation>
    </message>
    <message>
        <source>Folder used last</source>
        <translation>Zuletzt verwendeter Ordner</translation>
    </message>
    <message>
        <source>C&amp;hoose …</source>
        <translation>Aus&amp;wählen …</translation>
    </message>
    <message>
        <source>Select the folder in a file dialog</source>
        <translation>Den Ordner in einem Dateidialog auswählen</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Language of the window, from the next start on</source>
        <translation>Sprache des Fensters, ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Follow system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>S&amp;prache</translation>
    </message>
    <message>
        <source>Another language is used from the next start on.</source>
        <translation>Eine andere Sprache gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Colours of the window; high contrast has text of at least 7:1</source>
        <translation>Farben des Fensters; bei hohem Kontrast hat Schrift mindestens 7:1</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>&amp;Digits of samples</source>
        <translation>Angezeigte Ste&amp;llen</translation>
    </message>
    <message>
        <source>Digits of samples</source>
        <translation>Angezeigte Stellen</translation>
    </message>
    <message>
        <source>Significant digits of sample values where there is room; tooltips show more</source>
        <translation>Gültige Stellen von Werten, wo Platz ist; Tooltips zeigen mehr</translation>
    </message>
    <message>
        <source>Default backend</source>
        <translation>Standard-Backend</translation>
    </message>
    <message>
        <source>Backend of A when Parallax starts</source>
        <translation>Backend von A beim Start von Parallax</translation>
    </message>
    <message>
        <source>Default &amp;backend</source>
        <translation>Standard-Ba&amp;ckend</translation>
    </message>
    <message>
        <source>Default device</source>
        <translation>Standardgerät</translation>
    </message>
    <message>
        <source>Device of the default backend, if it has several</source>
        <translation>Gerät des Standard-Backends, falls es mehrere hat</translation>
    </message>
    <message>
        <source>Default &amp;device</source>
        <translation>Standard&amp;gerät</translation>
    </message>
    <message>
        <source>&amp;Threads</source>
        <translation>&amp;Threads</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Most threads of CPU backends, also in benchmarks</source>
        <translation>Höchstzahl der Threads von CPU-Backends, auch in Benchmarks</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>&amp;Memory limit</source>
        <translation>Speicherg&amp;renze</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>Memory that Parallax may use. Larger images are in scratch files on the disk, which takes longer.</source>
        <translation>Speicher, den Parallax verwenden darf. Größere Bilder liegen in Auslagerungsdateien auf der Platte, was länger dauert.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Memory limit of &amp;GPUs</source>
        <translation>Speichergrenze der GP&amp;Us</translation>
    </message>
    <message>
        <source>Memory limit of GPUs</source>
        <translation>Speichergrenze der GPUs</translation>
    </message>
    <message>
        <source>Memory that a run may use on a device. Runs that need more are divided where the operation supports it.</source>
        <translation>Speicher, den ein Durchlauf auf einem Gerät verwenden darf. Durchläufe, die mehr brauchen, werden geteilt, wo die Operation das unterstützt.</translation>
    </message>
    <message>
        <source>&amp;Save in</source>
        <translation>Speichern &amp;in</translation>
    </message>
    <message>
        <source>Folder for saving</source>
        <translation>Ordner zum Speichern</translation>
    </message>
    <message>
        <source>Folder where dialogs for saving start</source>
        <translation>Ordner, mit dem Dialoge zum Speichern beginnen</translation>
    </message>
    <message>
        <source>Format for saving</source>
        <translation>Format zum Speichern</translation>
    </message>
    <message>
        <source>Format with which the dialog for saving samples starts</source>
        <translation>Format, mit dem der Dialog zum Speichern der Werte beginnt</translation>
    </message>
    <message>
        <source>Format used last</source>
        <translation>Zuletzt verwendetes Format</translation>
    </message>
    <message>
        <source>F&amp;ormat</source>
        <translation>F&amp;ormat</translation>
    </message>
    <message>
        <source>&amp;Reload files that another program changes</source>
        <translation>Dateien neu &amp;laden, die ein anderes Programm ändert</translation>
    </message>
    <message>
        <source>Reload the open file whenever another program changes it</source>
        <translation>Die geöffnete Datei neu laden, sobald ein anderes Programm sie ändert</translation>
    </message>
    <message>
        <source>Open the &amp;last session when Parallax starts</source>
        <translation>Beim Start die letzte Sitzung ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Start with the files, pipeline and view that were open when Parallax was closed</source>
        <translation>Mit den Dateien, der Pipeline und der Ansicht beginnen, die beim Beenden offen waren</translation>
    </message>
    <message>
        <source>&amp;Hide patient data</source>
        <translation>&amp;Patientendaten verbergen</translation>
    </message>
    <message>
        <source>When this is off, reload open files to read their patient data.</source>
        <translation>Ist dies aus, müssen geöffnete Dateien neu geladen werden, um ihre Patientendaten zu lesen.</translation>
    </message>
    <message>
        <source>Remember &amp;recent files</source>
        <translation>Zuletzt geöffnete Dateien &amp;merken</translation>
    </message>
    <message>
        <source>C&amp;lear recent files</source>
        <translation>&amp;Liste leeren</translation>
    </message>
    <message>
        <source>&amp;Keep benchmarks in the history</source>
        <translation>Benchmarks im &amp;Verlauf behalten</translation>
    </message>
    <message>
        <source>Save every benchmark and sweep for later comparison</source>
        <translation>Jeden Benchmark und jede Messreihe für spätere Vergleiche speichern</translation>
    </message>
    <message>
        <source>Runs in the history</source>
        <translation>Durchläufe im Verlauf</translation>
    </message>
    <message>
        <source>The oldest runs beyond this number are removed</source>
        <translation>Die ältesten Durchläufe über diese Zahl hinaus werden entfernt</translation>
    </message>
    <message>
        <source>Age of runs in the history</source>
        <translation>Alter der Durchläufe im Verlauf</translation>
    </message>
    <message>
        <source>Older runs are removed when the next one is saved</source>
        <translation>Ältere Durchläufe werden entfernt, wenn der nächste gespeichert wird</translation>
    </message>
    <message>
        <source>Any</source>
        <translation>Beliebig</translation>
    </message>
    <message>
        <source>days</source>
        <translation>Tage</translation>
    </message>
    <message>
        <source>&amp;Number of runs</source>
        <translation>An&amp;zahl der Durchläufe</translation>
    </message>
    <message>
        <source>Greatest a&amp;ge</source>
        <translation>Höchstal&amp;ter</translation>
    </message>
    <message>
        <source>Automatic (first available)</source>
        <translation>Automatisch (das erste verfügbare)</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>&amp;Notify when long work ends</source>
        <translation>Das Ende langer Berechnungen &amp;melden</translation>
    </message>
    <message>
        <source>Show a notification of the desktop when work of more than ten seconds ends while another window is in use</source>
        <translation>Benachrichtigung des Desktops zeigen, wenn eine Arbeit von mehr als zehn Sekunden endet, während ein anderes Fenster benutzt wird</translation>
    </message>
    <message>
        <source>Leave patient data and paths of DICOM files out of metadata, window title, pictures, recent files and the settings file</source>
        <translation>Patientendaten und Pfade von DICOM-Dateien aus Metadaten, Fenstertitel, Bildern, der Liste zuletzt geöffneter Dateien und der Datei der Einstellungen heraushalten</translation>
    </message>
    <message>
        <source>List recent files in the File menu and the empty window; off also forgets pinned files</source>
        <translation>Zuletzt geöffnete Dateien im Menü Datei und im leeren Fenster aufführen; ausgeschaltet werden auch angeheftete vergessen</translation>
    </message>
    <message>
        <source>Restore defaults</source>
        <translation>Standardwerte</translation>
    </message>
    <message>
        <source>Launcher of MPI ranks</source>
        <translation>Startbefehl für MPI-Ränge</translation>
    </message>
    <message>
        <source>Command that starts the ranks of the backend mpi, with {ranks} for their number, such as srun -n {ranks}</source>
        <translation>Befehl, der die Ränge des Backends mpi startet, mit {ranks} für ihre Anzahl, etwa srun -n {ranks}</translation>
    </message>
    <message>
        <source>The environment variable PARALLAX_MPI_LAUNCHER sets it: %1</source>
        <translation>Die Umgebungsvariable PARALLAX_MPI_LAUNCHER legt ihn fest: %1</translation>
    </message>
    <message>
        <source>Launcher of MPI &amp;ranks</source>
        <translation>Startbe&amp;fehl für MPI-Ränge</translation>
    </message>
    <message>
        <source>Threads, limits and launcher apply to the next run, backend and device to the next start.</source>
        <translation>Threads, Grenzen und Startbefehl gelten ab dem nächsten Durchlauf, Backend und Gerät ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>D&amp;ither pictures on the screen</source>
        <translation>B&amp;ilder auf dem Bildschirm dithern</translation>
    </message>
    <message>
        <source>Show values between two of the 256 levels of the screen as a mixture of both, which hides steps in smooth gradients. Saved samples are not changed; pictures of the view show it.</source>
        <translation>Werte zwischen zwei der 256 Stufen des Bildschirms als Mischung beider zeigen, was Stufen in sanften Verläufen verbirgt. Gespeicherte Werte ändern sich nicht; Bilder der Ansicht zeigen es.</translation>
    </message>
    <message>
        <source>Dithering hides steps in smooth gradients and leaves samples as they are.</source>
        <translation>Dithering verbirgt Stufen in weichen Verläufen und lässt die Werte, wie sie sind.</translation>
    </message>
    <message>
        <source>Live rendering of volumes</source>
        <translation>Live-Rendering von Volumen</translation>
    </message>
    <message>
        <source>What renders volumes beside their planes</source>
        <translation>Was Volumen neben ihren Ebenen rendert</translation>
    </message>
    <message>
        <source>Automatic (GPU if there is one)</source>
        <translation>Automatisch (GPU, falls vorhanden)</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>&amp;Volume rendering</source>
        <translation>&amp;Volumen-Rendering</translation>
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
        <source>Command</source>
        <translation>Befehl</translation>
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
        <source>Crosshair</source>
        <translation>Fadenkreuz</translation>
    </message>
    <message>
        <source>Click, drag, Left, Right, Ctrl+Up, Ctrl+Down</source>
        <translation>Klicken, Ziehen, Links, Rechts, Strg+Auf, Strg+Ab</translation>
    </message>
    <message>
        <source>Window and level</source>
        <translation>Fenster und Lage</translation>
    </message>
    <message>
        <source>Move the plane</source>
        <translation>Die Ebene bewegen</translation>
    </message>
    <message>
        <source>Double click, Enter</source>
        <translation>Doppelklick, Eingabe</translation>
    </message>
    <message>
        <source>Show only entries that contain this text in shortcut, command or description</source>
        <translation>Nur Einträge zeigen, die diesen Text in Tastenkürzel, Befehl oder Beschreibung enthalten</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Menu commands and their shortcuts</source>
        <translation>Menübefehle und ihre Tastenkürzel</translation>
    </message>
    <message>
        <source>Move the image; Shift+arrow keys move further</source>
        <translation>Bild verschieben; Umschalt+Pfeiltasten verschieben weiter</translation>
    </message>
    <message>
        <source>Move through the slices; Shift moves by ten</source>
        <translation>Durch die Schichten gehen; mit Umschalt in Zehnerschritten</translation>
    </message>
    <message>
        <source>Move the crosshair</source>
        <translation>Fadenkreuz bewegen</translation>
    </message>
    <message>
        <source>Right drag, Shift+drag</source>
        <translation>Rechts ziehen, Umschalt+Ziehen</translation>
    </message>
    <message>
        <source>Drag left or right for width, up or down for level</source>
        <translation>Nach links oder rechts ziehen für die Breite, auf oder ab für die Lage</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Strg+Mausrad</translation>
    </message>
    <message>
        <source>Middle drag, Ctrl+drag</source>
        <translation>Mit mittlerer Taste ziehen, Strg+Ziehen</translation>
    </message>
    <message>
        <source>Single pane</source>
        <translation>Einzelne Bildfläche</translation>
    </message>
    <message>
        <source>Show only this pane, or all panes again</source>
        <translation>Nur diese Bildfläche oder wieder alle zeigen</translation>
    </message>
    <message>
        <source>Box</source>
        <translation>Quader</translation>
    </message>
    <message>
        <source>S, then drag</source>
        <translation>S, dann ziehen</translation>
    </message>
    <message>
        <source>Draw a box of voxels, move it, and drag its sides; a click beside it removes it</source>
        <translation>Einen Quader aus Voxeln zeichnen, verschieben und an seinen Seiten ziehen; ein Klick daneben entfernt ihn</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ShownDifference</name>
    <message>
        <source>Preparing the view</source>
        <translation>Ansicht wird vorbereitet</translation>
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
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>gesamt</translation>
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
    <message>
        <source>speedup</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Time of the baseline divided by the time of each backend, with 95 % intervals. Wrong results have no bar. Double-click a bar, or press Enter, to show that run in B; right-click for more.</source>
        <translation>Zeit des Bezugs geteilt durch die Zeit jedes Backends, mit 95-%-Intervallen. Falsche Ergebnisse haben keinen Balken. Doppelklick auf einen Balken oder die Eingabetaste zeigt diesen Durchlauf in B; ein Rechtsklick bietet mehr.</translation>
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
        <source>time [%1]</source>
        <translation>Zeit [%1]</translation>
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
        <source>Stages, median times</source>
        <translation>Abschnitte (Mediane)</translation>
    </message>
    <message>
        <source>Bars cut off: %1.</source>
        <translation>Abgeschnittene Balken: %1.</translation>
    </message>
    <message>
        <source>Stages overlap, so the run is shorter than their sum: %1.</source>
        <translation>Abschnitte überlappen sich, daher ist der Durchlauf kürzer als ihre Summe: %1.</translation>
    </message>
    <message>
        <source>Median time of each stage, per backend. The whole bar is end to end, the solid part is compute. Double-click a bar, or press Enter, to show that run in B; right-click for more.</source>
        <translation>Median der Zeit jedes Abschnitts, je Backend. Der ganze Balken ist die Gesamtzeit, der gefüllte Teil das Rechnen. Doppelklick auf einen Balken oder die Eingabetaste zeigt diesen Durchlauf in B; ein Rechtsklick bietet mehr.</translation>
    </message>
    <message>
        <source>Stages, median times, cold caches</source>
        <translation>Abschnitte (Mediane, kalte Caches)</translation>
    </message>
</context>
<context>
    <name>parallax::ui::StatusArea</name>
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
        <source>%1 %2: computing</source>
        <translation>%1 %2: wird berechnet</translation>
    </message>
    <message>
        <source>%1 %2: no result</source>
        <translation>%1 %2: kein Ergebnis</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Compute and end-to-end time of A and B, and their error against the reference</source>
        <translation>Rechenzeit und Gesamtzeit von A und B sowie ihr Fehler gegen die Referenz</translation>
    </message>
    <message>
        <source>Progress of the current stage. A moving bar means that the remaining time is unknown. Esc cancels.</source>
        <translation>Fortschritt des aktuellen Abschnitts. Ein wandernder Balken bedeutet, dass die verbleibende Zeit unbekannt ist. Esc bricht ab.</translation>
    </message>
    <message>
        <source>%1 %2: %3 compute, %4 end to end</source>
        <translation>%1 %2: Rechnen %3, gesamt %4</translation>
    </message>
    <message>
        <source>error against reference %1 (inconclusive)</source>
        <translation>Fehler gegen die Referenz %1 (nicht aussagekräftig)</translation>
    </message>
    <message>
        <source>error against reference %1 in %2 alone (allowed %3)</source>
        <translation>Fehler gegen die Referenz %1 in %2 allein (erlaubt %3)</translation>
    </message>
    <message>
        <source>error against reference %1 (allowed %2)</source>
        <translation>Fehler gegen die Referenz %1 (erlaubt %2)</translation>
    </message>
    <message>
        <source>%1 samples differ in NaN or infinity</source>
        <translation>%1 Werte unterscheiden sich in NaN oder Unendlich</translation>
    </message>
    <message>
        <source>not checked against the reference (slow; Benchmark does it)</source>
        <translation>nicht mit der Referenz verglichen (langsam; geschieht im Benchmark)</translation>
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
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>Gesamt</translation>
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
        <source>Result</source>
        <translation>Ergebnis</translation>
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
        <source>end to end</source>
        <translation>gesamt</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Time, %1</source>
        <translation>Zeit (%1)</translation>
    </message>
    <message>
        <source>%1 at %2: %3 (%4 – %5)%6</source>
        <translation>%1 bei %2: %3 (%4 – %5)%6</translation>
    </message>
    <message>
        <source>Median compute time</source>
        <translation>Median der Rechenzeit</translation>
    </message>
    <message>
        <source>95 % interval of the median compute time</source>
        <translation>95-%-Intervall des Medians der Rechenzeit</translation>
    </message>
    <message>
        <source>Number of timing samples; none is dropped</source>
        <translation>Anzahl der Messwerte; keiner wird verworfen</translation>
    </message>
    <message>
        <source>Comparison with the reference</source>
        <translation>Vergleich mit der Referenz</translation>
    </message>
    <message>
        <source>inconclusive</source>
        <translation>nicht aussagekräftig</translation>
    </message>
    <message>
        <source>From about %1, %2 is faster than %3.</source>
        <translation>Ab etwa %1 ist %2 schneller als %3.</translation>
    </message>
    <message>
        <source>From about %1, %2 may be faster than %3: the intervals overlap.</source>
        <translation>Ab etwa %1 ist %2 möglicherweise schneller als %3: Die Intervalle überlappen sich.</translation>
    </message>
    <message>
        <source>Sweep

Choose a size or a parameter and press Sweep. Every available backend is measured at each value.</source>
        <translation>Messreihe

Größe oder Parameter wählen und auf „Messreihe starten“ klicken. Jedes verfügbare Backend wird bei jedem Wert gemessen.</translation>
    </message>
    <message>
        <source>Sweep

No backend has been measured yet.</source>
        <translation>Messreihe

Noch wurde kein Backend gemessen.</translation>
    </message>
    <message>
        <source>
The result is wrong and excluded from the comparison.</source>
        <translation>
Das Ergebnis ist falsch und vom Vergleich ausgeschlossen.</translation>
    </message>
    <message>
        <source>Median time of each backend over the values of the sweep, with 95 % intervals. A dashed line marks where the fastest backend changes. Double-click a point, or select it with the arrow keys and press Enter, to show that run in B: a generated image is opened in that size, in other images the measured part is selected.</source>
        <translation>Median der Zeit jedes Backends über den Werten der Messreihe, mit 95-%-Intervallen. Eine gestrichelte Linie zeigt, wo das schnellste Backend wechselt. Doppelklick auf einen Punkt, oder Auswahl mit den Pfeiltasten und Eingabetaste, zeigt diesen Durchlauf in B: Ein erzeugtes Bild wird in dieser Größe geöffnet, in anderen Bildern wird der gemessene Teil ausgewählt.</translation>
    </message>
    <message>
        <source>✓ holds</source>
        <translation>✓ hält</translation>
    </message>
</context>
<context>
    <name>parallax::ui::SweepControls</name>
    <message>
        <source>Values of the sweep</source>
        <translation>Werte der Messreihe</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Messreihe starten</translation>
    </message>
    <message>
        <source>Axis of the sweep</source>
        <translation>Achse der Messreihe</translation>
    </message>
    <message>
        <source>Quantity that changes from point to point: the image size or a parameter of a step. Parameters that change the amount of work come first.</source>
        <translation>Was sich von Punkt zu Punkt ändert: die Bildgröße oder ein Parameter eines Schritts. Parameter, die den Rechenaufwand ändern, stehen zuerst.</translation>
    </message>
    <message>
        <source>Values to measure, separated by commas. A size is the side of a square: images are cropped or repeated, generated images are generated at that size.</source>
        <translation>Zu messende Werte, durch Kommas getrennt. Eine Größe ist die Seitenlänge eines Quadrats: Bilder werden zugeschnitten oder wiederholt, erzeugte Bilder in dieser Größe erzeugt.</translation>
    </message>
    <message>
        <source>Measure scaling</source>
        <translation>Skalierung messen</translation>
    </message>
    <message>
        <source>Stop the sweep; completed points are kept (Esc)</source>
        <translation>Messreihe beenden; fertige Punkte bleiben erhalten (Esc)</translation>
    </message>
    <message>
        <source>Measure all available backends, and those of A and B, at each value; results are verified against the reference</source>
        <translation>Bei jedem Wert alle verfügbaren Backends und die von A und B messen; Ergebnisse werden gegen die Referenz geprüft</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Axis:</source>
        <translation>Achse:</translation>
    </message>
    <message>
        <source>Values:</source>
        <translation>Werte:</translation>
    </message>
    <message>
        <source>Axis of the scaling</source>
        <translation>Achse der Skalierung</translation>
    </message>
    <message>
        <source>Numbers of threads or parts</source>
        <translation>Anzahlen von Threads oder Teilen</translation>
    </message>
    <message>
        <source>Numbers of threads or parts, separated by commas</source>
        <translation>Anzahlen von Threads oder Teilen, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Threads:</source>
        <translation>Threads:</translation>
    </message>
    <message>
        <source>Threads of the CPU, or parts: with a GPU backend each part has a GPU of its own. With a growing image each part keeps the work that one part has (weak scaling).</source>
        <translation>Threads der CPU, oder Teile: mit einem GPU-Backend hat jeder Teil eine eigene GPU. Mit wachsendem Bild behält jeder Teil die Arbeit, die ein Teil allein hat (schwache Skalierung).</translation>
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
    <message>
        <source>%1 (not for these steps)</source>
        <translation>%1 (nicht für diese Schritte)</translation>
    </message>
    <message>
        <source>%1 does not implement %2.</source>
        <translation>%1 bietet %2 nicht an.</translation>
    </message>
    <message>
        <source>%1 on %2 devices that each have a part of the image</source>
        <translation>%1 auf %2 Geräten, die je einen Teil des Bildes haben</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Thumbnails</name>
    <message>
        <source>Large file: the thumbnail appears when it is shown</source>
        <translation>Große Datei: Das Vorschaubild erscheint, wenn sie gezeigt wird</translation>
    </message>
</context>
<context>
    <name>parallax::ui::TimelineChart</name>
    <message>
        <source>Timeline chart</source>
        <translation>Zeitverlaufsdiagramm</translation>
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
        <source>Start and end of each stage in the run with the median time, per backend. Stages that overlap in time are drawn below each other. Gaps are time between stages.</source>
        <translation>Beginn und Ende jedes Abschnitts im Durchlauf mit der Medianzeit, je Backend. Abschnitte, die sich zeitlich überlappen, sind untereinander gezeichnet. Lücken sind Zeit zwischen Abschnitten.</translation>
    </message>
    <message>
        <source>Timeline

This report has no start times of stages.</source>
        <translation>Zeitverlauf

Dieser Bericht enthält keine Anfangszeiten der Abschnitte.</translation>
    </message>
    <message>
        <source>Timeline

Press Benchmark to see when each stage starts and ends.</source>
        <translation>Zeitverlauf

Auf „Benchmark“ klicken, um zu sehen, wann jeder Abschnitt beginnt und endet.</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>Relative to the start of the run</source>
        <translation>Relativ zum Beginn des Durchlaufs</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Time in this stage; shorter than end minus start if it was interrupted</source>
        <translation>Zeit in diesem Abschnitt; kürzer als Ende minus Beginn, wenn er unterbrochen wurde</translation>
    </message>
    <message>
        <source>Timeline of a typical run</source>
        <translation>Zeitverlauf eines typischen Durchlaufs</translation>
    </message>
    <message>
        <source>Bars cut off: %1.</source>
        <translation>Abgeschnittene Balken: %1.</translation>
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
        <source>End to end: allocate + upload + compute + download</source>
        <translation>Gesamt: Anlegen + Hochladen + Rechnen + Herunterladen</translation>
    </message>
    <message>
        <source>No speedup is shown for a wrong result.</source>
        <translation>Für ein falsches Ergebnis wird keine Beschleunigung gezeigt.</translation>
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
        <translation>Gesamt</translation>
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
        <source>Ran on</source>
        <translation>Lief auf</translation>
    </message>
    <message>
        <source>Compute: median of %1 timing samples, bootstrap 95 % interval, fastest %2</source>
        <translation>Rechnen: Median von %1 Messwerten, 95-%-Intervall durch Bootstrap, schnellster %2</translation>
    </message>
    <message>
        <source>Prepare (once): %1</source>
        <translation>Vorbereiten (einmal): %1</translation>
    </message>
    <message>
        <source>Largest error %1; inconclusive, since the tolerance of this pipeline allows any result</source>
        <translation>Größter Fehler %1; nicht aussagekräftig, da die Toleranz dieser Pipeline jedes Ergebnis zulässt</translation>
    </message>
    <message>
        <source>Largest error %1, tolerance %2 (%3)</source>
        <translation>Größter Fehler %1, Toleranz %2 (%3)</translation>
    </message>
    <message>
        <source>Median compute time</source>
        <translation>Median der Rechenzeit</translation>
    </message>
    <message>
        <source>95 % interval of the median</source>
        <translation>95-%-Intervall des Medians</translation>
    </message>
    <message>
        <source>Median of allocate + upload + compute + download; less than their sum where they overlap</source>
        <translation>Median von Anlegen + Hochladen + Rechnen + Herunterladen; weniger als ihre Summe, wo sie sich überlappen</translation>
    </message>
    <message>
        <source>Compute time of the baseline divided by this compute time; none for the reference, an oracle, unless it is the baseline</source>
        <translation>Rechenzeit der Basis geteilt durch diese Rechenzeit; keine für die Referenz, ein Orakel, außer sie ist die Basis</translation>
    </message>
    <message>
        <source>Largest absolute error against the reference; ✓ means within tolerance</source>
        <translation>Größter absoluter Fehler gegen die Referenz; ✓ bedeutet innerhalb der Toleranz</translation>
    </message>
    <message>
        <source>Variant, device and threads of the run; the tooltip of a row says why this variant was chosen</source>
        <translation>Variante, Gerät und Threads des Durchlaufs; der Tooltip einer Zeile nennt den Grund für die Wahl dieser Variante</translation>
    </message>
    <message>
        <source>Number of timing samples; none is dropped</source>
        <translation>Anzahl der Messwerte; keiner wird verworfen</translation>
    </message>
    <message>
        <source>oracle</source>
        <translation>Orakel</translation>
    </message>
    <message>
        <source>%1: %2, allowed %3; judged by the operation itself, not compared with the reference</source>
        <translation>%1: %2, erlaubt %3; von der Operation selbst beurteilt, nicht mit der Referenz verglichen</translation>
    </message>
    <message>
        <source>✓ holds</source>
        <translation>✓ hält</translation>
    </message>
    <message>
        <source>✗ fails</source>
        <translation>✗ hält nicht</translation>
    </message>
    <message>
        <source>inconclusive</source>
        <translation>nicht aussagekräftig</translation>
    </message>
    <message>
        <source>%1 J</source>
        <translation>%1 J</translation>
    </message>
    <message>
        <source>Energy: %1 J a run, %2 W, by %3</source>
        <translation>Energie: %1 J je Lauf, %2 W, gemessen von %3</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Energy of one run, measured after the timing samples with warm caches</source>
        <translation>Energie eines Laufs, nach den Zeitmessungen mit warmen Caches gemessen</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Most memory that preparation and first run took besides the input, with a device: host + device. The tooltip of a row has the estimates.</source>
        <translation>Speicher, den Vorbereitung und erster Lauf neben der Eingabe höchstens belegten; mit einem Gerät: Hauptspeicher + Gerät. Die Schätzungen stehen im Tooltip der Zeile.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::TimingPanel</name>
    <message>
        <source>Benchmark</source>
        <translation>Benchmark</translation>
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
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Stages and speedup</source>
        <translation>Abschnitte und Beschleunigung</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Baseline of the speedups</source>
        <translation>Basis der Beschleunigungen</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>gesamt</translation>
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
    <message>
        <source>Time spent on each backend. Quick takes seconds; thorough takes minutes and gives narrower intervals.</source>
        <translation>Messdauer je Backend. Schnell dauert Sekunden; gründlich dauert Minuten und ergibt engere Intervalle.</translation>
    </message>
    <message>
        <source>Benchmark effort</source>
        <translation>Aufwand des Benchmarks</translation>
    </message>
    <message>
        <source>Select a chart</source>
        <translation>Diagramm auswählen</translation>
    </message>
    <message>
        <source>Time of each stage per backend, and speedup over the baseline</source>
        <translation>Zeit jedes Abschnitts je Backend und Beschleunigung gegenüber der Basis</translation>
    </message>
    <message>
        <source>Compute time of each timing sample, live</source>
        <translation>Rechenzeit jedes Messwerts, live</translation>
    </message>
    <message>
        <source>Start, end and overlap of the stages in a typical run</source>
        <translation>Beginn, Ende und Überlappung der Abschnitte in einem typischen Durchlauf</translation>
    </message>
    <message>
        <source>Time over image size or a parameter, with the points where the fastest backend changes</source>
        <translation>Zeit über der Bildgröße oder einem Parameter, mit den Punkten, an denen das schnellste Backend wechselt</translation>
    </message>
    <message>
        <source>Rates of the backends against the ceilings of the machine</source>
        <translation>Raten der Backends im Vergleich zu den Leistungsgrenzen des Rechners</translation>
    </message>
    <message>
        <source>Past runs to show again or to compare with</source>
        <translation>Frühere Durchläufe zum erneuten Anzeigen oder Vergleichen</translation>
    </message>
    <message>
        <source>One row per backend, as in the charts. Ctrl+C copies the selection.</source>
        <translation>Eine Zeile je Backend, wie in den Diagrammen. Strg+C kopiert die Auswahl.</translation>
    </message>
    <message>
        <source>Backend that speedups refer to, also in the next benchmarks. Plain serial loops are a fair baseline; the reference is written for accuracy, not speed.</source>
        <translation>Backend, auf das sich Beschleunigungen beziehen, auch in den nächsten Benchmarks. Einfache serielle Schleifen sind eine faire Basis; die Referenz ist auf Genauigkeit ausgelegt, nicht auf Geschwindigkeit.</translation>
    </message>
    <message>
        <source>Measure ceilings</source>
        <translation>Leistungsgrenzen messen</translation>
    </message>
    <message>
        <source>Measure memory bandwidths and arithmetic rates of this machine. Takes seconds to a minute in the background; the result is kept.</source>
        <translation>Speicherbandbreiten und Rechenraten dieses Rechners messen. Dauert im Hintergrund Sekunden bis eine Minute; das Ergebnis wird aufbewahrt.</translation>
    </message>
    <message>
        <source>Points of the roofline</source>
        <translation>Punkte der Roofline</translation>
    </message>
    <message>
        <source>Points to show. Those of the last benchmark are large and filled, those of the last sweep small and connected.</source>
        <translation>Angezeigte Punkte. Die des letzten Benchmarks sind groß und gefüllt, die der letzten Messreihe klein und verbunden.</translation>
    </message>
    <message>
        <source>Time shown in the sweep</source>
        <translation>In der Messreihe gezeigte Zeit</translation>
    </message>
    <message>
        <source>Compute: the computation alone. End to end: including allocation and transfers, the cost of a single image.</source>
        <translation>Rechnen: nur die Berechnung. Gesamt: mit Anlegen und Übertragungen, also die Kosten eines einzelnen Bildes.</translation>
    </message>
    <message>
        <source>Outdated: the pipeline has changed. </source>
        <translation>Veraltet: Die Pipeline hat sich geändert. </translation>
    </message>
    <message>
        <source>That run used an image generated at %1. It can be opened when the current measurement has finished.</source>
        <translation>Dieser Durchlauf verwendete ein Bild, das in der Größe %1 erzeugt wurde. Es kann geöffnet werden, sobald die laufende Messung beendet ist.</translation>
    </message>
    <message>
        <source>Opened the image generated at %1 that this run used.</source>
        <translation>Das in der Größe %1 erzeugte Bild, das dieser Durchlauf verwendete, wurde geöffnet.</translation>
    </message>
    <message>
        <source>That run used another image: %1, %2.</source>
        <translation>Dieser Durchlauf verwendete ein anderes Bild: %1, %2.</translation>
    </message>
    <message>
        <source>The pipeline now uses %1, as at this point. Undo reverts this.</source>
        <translation>Die Pipeline verwendet jetzt %1, wie an diesem Punkt. „Rückgängig“ nimmt dies zurück.</translation>
    </message>
    <message>
        <source>Measure the pipeline on all available backends, those of A and B, and plain serial loops as the baseline, interleaved, and verify the results against the reference (Ctrl+B)</source>
        <translation>Die Pipeline auf allen verfügbaren Backends, denen von A und B und einfachen seriellen Schleifen als Basis abwechselnd messen und die Ergebnisse gegen die Referenz prüfen (Strg+B)</translation>
    </message>
    <message>
        <source>That run used this image, repeated and cropped to %1. The pane shows the result of the original image.</source>
        <translation>Dieser Durchlauf nutzte dieses Bild, wiederholt und auf %1 zugeschnitten. Die Bildfläche zeigt das Ergebnis des Originals.</translation>
    </message>
    <message>
        <source>That run used the selected part, %1. The pane shows the result of the whole image; it differs at the edges of the part and for operations that use statistics of the whole image.</source>
        <translation>Dieser Durchlauf nutzte den ausgewählten Teil, %1. Die Bildfläche zeigt das Ergebnis des ganzen Bilds; es weicht an den Rändern des Teils ab und bei Operationen, die Statistiken des ganzen Bilds nutzen.</translation>
    </message>
    <message>
        <source>%1 shows %2</source>
        <translation>%1 zeigt %2</translation>
    </message>
    <message>
        <source>Show %1 in %2</source>
        <translation>%1 in %2 zeigen</translation>
    </message>
    <message>
        <source>Effort:</source>
        <translation>Aufwand:</translation>
    </message>
    <message>
        <source>Baseline:</source>
        <translation>Basis:</translation>
    </message>
    <message>
        <source>Points:</source>
        <translation>Punkte:</translation>
    </message>
    <message>
        <source>Time:</source>
        <translation>Zeit:</translation>
    </message>
    <message>
        <source>Convergence</source>
        <translation>Konvergenz</translation>
    </message>
    <message>
        <source>Residual of iterative operations over iterations or time</source>
        <translation>Residuum iterativer Operationen über Iterationen oder Zeit</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Parts of the compute time, such as the passes of a solver</source>
        <translation>Teile der Rechenzeit, etwa die Durchgänge eines Lösers</translation>
    </message>
    <message>
        <source>Horizontal axis of the convergence chart</source>
        <translation>Waagerechte Achse des Konvergenzdiagramms</translation>
    </message>
    <message>
        <source>Iterations compare methods; time compares backends, since their iterations differ in cost.</source>
        <translation>Iterationen vergleichen Verfahren; die Zeit vergleicht Backends, da deren Iterationen verschieden viel kosten.</translation>
    </message>
    <message>
        <source>Over:</source>
        <translation>Über:</translation>
    </message>
    <message>
        <source>Speedup and efficiency over the number of threads or parts, with Amdahl&apos;s law</source>
        <translation>Beschleunigung und Effizienz über der Anzahl der Threads oder Teile, mit Amdahls Gesetz</translation>
    </message>
    <message>
        <source>Cold caches</source>
        <translation>Kalte Caches</translation>
    </message>
    <message>
        <source>Empty the caches of CPU and device before each timing sample of the next measurements. Warm caches show work on data that were just used, cold ones on data that come from memory.</source>
        <translation>Die Caches von CPU und Gerät vor jedem Messwert der nächsten Messungen leeren. Warme Caches zeigen die Arbeit auf gerade benutzten Daten, kalte die auf Daten aus dem Speicher.</translation>
    </message>
    <message>
        <source>Vertical axis of the roofline</source>
        <translation>Senkrechte Achse der Roofline</translation>
    </message>
    <message>
        <source>Rate to show. Operations compare arithmetic, bytes memory traffic, samples implementations of one operation that differ in both.</source>
        <translation>Gezeigte Rate. Operationen vergleichen das Rechnen, Bytes den Speicherverkehr, Werte die Implementierungen einer Operation, die sich in beidem unterscheiden.</translation>
    </message>
    <message>
        <source>operations/s</source>
        <translation>Operationen/s</translation>
    </message>
    <message>
        <source>bytes/s</source>
        <translation>Bytes/s</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>Werte/s</translation>
    </message>
    <message>
        <source>Axis:</source>
        <translation>Achse:</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Measure the energy of a run after the timing samples of the next measurements: half a second for each backend. Counters: %1.</source>
        <translation>Bei den nächsten Messungen nach den Zeitmessungen die Energie eines Laufs messen: eine halbe Sekunde je Backend. Zähler: %1.</translation>
    </message>
    <message>
        <source>Energy cannot be measured: %1.</source>
        <translation>Die Energie kann nicht gemessen werden: %1.</translation>
    </message>
    <message>
        <source>Looking for energy counters</source>
        <translation>Energiezähler werden gesucht</translation>
    </message>
</context>
<context>
    <name>parallax::ui::TimingStrip</name>
    <message>
        <source>Open the Timing panel</source>
        <translation>Das Feld „Zeiten“ öffnen</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>Messung läuft …</translation>
    </message>
    <message>
        <source>No benchmark yet</source>
        <translation>Noch kein Benchmark</translation>
    </message>
    <message>
        <source>Outdated: %1</source>
        <translation>Veraltet: %1</translation>
    </message>
</context>
<context>
    <name>parallax::ui::Toast</name>
    <message>
        <source>Copy this message</source>
        <translation>Diese Meldung kopieren</translation>
    </message>
    <message>
        <source>Close this message (Esc)</source>
        <translation>Diese Meldung schließen (Esc)</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Open the folder of this file</source>
        <translation>Den Ordner dieser Datei öffnen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::TransferDialog</name>
    <message>
        <source>Transfer function</source>
        <translation>Transferfunktion</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Voreinstellung</translation>
    </message>
    <message>
        <source>Replace the curve by a preset; nodes can be changed afterwards</source>
        <translation>Ersetzt die Kurve durch eine Voreinstellung; danach lassen sich die Stützstellen ändern</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Undo the last change of the curve (Ctrl+Z)</source>
        <translation>Letzte Änderung der Kurve zurücknehmen (Strg+Z)</translation>
    </message>
    <message>
        <source>Redo the change of the curve (Ctrl+Shift+Z)</source>
        <translation>Änderung der Kurve wiederherstellen (Strg+Umschalt+Z)</translation>
    </message>
    <message>
        <source>Value of the node</source>
        <translation>Wert der Stützstelle</translation>
    </message>
    <message>
        <source>Value of the selected node</source>
        <translation>Wert der gewählten Stützstelle</translation>
    </message>
    <message>
        <source>Opacity of the node</source>
        <translation>Deckkraft der Stützstelle</translation>
    </message>
    <message>
        <source>Opacity of the selected node, 0 to 0.999: of a layer as thick as the finest spacing</source>
        <translation>Deckkraft der gewählten Stützstelle, 0 bis 0,999: die einer Schicht von der Dicke des feinsten Abstands</translation>
    </message>
    <message>
        <source>Choose the colour of the selected node (Enter)</source>
        <translation>Farbe der gewählten Stützstelle wählen (Eingabe)</translation>
    </message>
    <message>
        <source>Add a node behind the selected one (Insert)</source>
        <translation>Stützstelle hinter der gewählten hinzufügen (Einfg)</translation>
    </message>
    <message>
        <source>Delete the selected node (Delete)</source>
        <translation>Gewählte Stützstelle löschen (Entf)</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>Deckkraft</translation>
    </message>
    <message>
        <source>Node %1 / %2</source>
        <translation>Stützstelle %1 / %2</translation>
    </message>
    <message>
        <source>Colour of the node</source>
        <translation>Farbe der Stützstelle</translation>
    </message>
</context>
<context>
    <name>parallax::ui::TransferPlot</name>
    <message>
        <source>Transfer function over the histogram</source>
        <translation>Transferfunktion über dem Histogramm</translation>
    </message>
    <message>
        <source>&lt;qt&gt;Drag a node to change its value and opacity. Double-click adds a node, or chooses the colour of one. Wheel: zoom.&lt;br&gt;Arrow keys move the selected node (Shift: ten times as far), Ctrl+Left and Ctrl+Right select another one, Insert adds, Delete deletes, Enter chooses the colour, Home shows all values.&lt;/qt&gt;</source>
        <translation>&lt;qt&gt;Ziehen einer Stützstelle ändert ihren Wert und ihre Deckkraft. Doppelklick fügt eine hinzu oder wählt die Farbe einer vorhandenen. Rad: Zoom.&lt;br&gt;Pfeiltasten bewegen die gewählte Stützstelle (Umschalt: zehnmal so weit), Strg+Links und Strg+Rechts wählen eine andere, Einfg fügt hinzu, Entf löscht, Eingabe wählt die Farbe, Pos1 zeigt alle Werte.&lt;/qt&gt;</translation>
    </message>
    <message>
        <source>Colour …</source>
        <translation>Farbe …</translation>
    </message>
    <message>
        <source>Delete node</source>
        <translation>Stützstelle löschen</translation>
    </message>
    <message>
        <source>Add node</source>
        <translation>Stützstelle hinzufügen</translation>
    </message>
    <message>
        <source>Show all values</source>
        <translation>Alle Werte zeigen</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>Deckkraft</translation>
    </message>
</context>
<context>
    <name>parallax::ui::VersionTable</name>
    <message>
        <source>does not compile</source>
        <translation>nicht übersetzbar</translation>
    </message>
    <message>
        <source>disagrees</source>
        <translation>weicht ab</translation>
    </message>
    <message>
        <source>agrees</source>
        <translation>stimmt überein</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>%1 v%2</source>
        <translation>%1 v%2</translation>
    </message>
    <message>
        <source>%1, faster</source>
        <translation>%1, schneller</translation>
    </message>
    <message>
        <source>%1, slower</source>
        <translation>%1, langsamer</translation>
    </message>
    <message>
        <source>%1, the same</source>
        <translation>%1, gleich</translation>
    </message>
    <message>
        <source>%1, undecided</source>
        <translation>%1, unentschieden</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation>&amp;Wiederherstellen</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Write the source of the selected version into the file</source>
        <translation>Den Quelltext der gewählten Version in die Datei schreiben</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Median time of the computation, for %1 and the defaults of the operation; upload and download are left out</source>
        <translation>Median der Rechenzeit für %1 und die Vorgaben der Operation, ohne Hochladen und Herunterladen</translation>
    </message>
    <message>
        <source>Against the last version before that was measured. The two were measured one after the other, not in turn.</source>
        <translation>Gegenüber der letzten gemessenen Version davor. Beide wurden nacheinander gemessen, nicht abwechselnd.</translation>
    </message>
    <message>
        <source>Versions of the kernel, the newest first</source>
        <translation>Versionen des Kernels, die neueste zuerst</translation>
    </message>
    <message>
        <source>memory error</source>
        <translation>Speicherfehler</translation>
    </message>
    <message>
        <source>%1 GFLOP/s, %2 GB/s</source>
        <translation>%1 GFLOP/s, %2 GB/s</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Modelled operations and bytes divided by the median time. A benchmark shows the place of the kernel in the roofline.</source>
        <translation>Rechenoperationen und Bytes des Modells geteilt durch den Median der Zeit. Ein Benchmark zeigt den Platz des Kernels im Roofline-Diagramm.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::ViewPanel</name>
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
        <source>Encoding</source>
        <translation>Kodierung</translation>
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
        <source>Channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>Farbtabelle</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
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
        <source>Pixel grid</source>
        <translation>Pixelraster</translation>
    </message>
    <message>
        <source>Range of the difference</source>
        <translation>Bereich der Differenz</translation>
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
        <source>signed</source>
        <translation>mit Vorzeichen</translation>
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
        <source>Automatic exposure</source>
        <translation>Automatische Belichtung</translation>
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
    <message>
        <source>Brightness of the view in stops; +1 doubles it. Data never change. Keys: E and Shift+E.</source>
        <translation>Helligkeit der Ansicht in Blendenstufen; +1 verdoppelt sie. Die Daten ändern sich nie. Tasten: E und Umschalt+E.</translation>
    </message>
    <message>
        <source>Value added after the exposure; 0 is black, 1 is white</source>
        <translation>Wert, der nach der Belichtung addiert wird; 0 ist Schwarz, 1 ist Weiß</translation>
    </message>
    <message>
        <source>Transfer function of the display. sRGB is correct for linear light.</source>
        <translation>Übertragungsfunktion des Bildschirms. Für lineares Licht ist sRGB richtig.</translation>
    </message>
    <message>
        <source>The displayed value is raised to the power of 1 / gamma</source>
        <translation>Der angezeigte Wert wird mit 1 / Gamma potenziert</translation>
    </message>
    <message>
        <source>Channels to show: all colours, their luminance (Rec. 709) or a single channel</source>
        <translation>Angezeigte Kanäle: alle Farben, ihre Leuchtdichte (Rec. 709) oder ein einzelner Kanal</translation>
    </message>
    <message>
        <source>False colours for a single channel or the luminance, from black point to white point</source>
        <translation>Falschfarben für einen einzelnen Kanal oder die Leuchtdichte, vom Schwarz- bis zum Weißpunkt</translation>
    </message>
    <message>
        <source>perceptually uniform</source>
        <translation>perzeptuell gleichmäßig</translation>
    </message>
    <message>
        <source>Mark values above white in red and below black in blue. NaN is always magenta. Key: M.</source>
        <translation>Werte über Weiß rot und Werte unter Schwarz blau markieren. NaN ist immer magenta. Taste: M.</translation>
    </message>
    <message>
        <source>Show grid lines and values at high zoom. Key: G.</source>
        <translation>Bei starker Vergrößerung Rasterlinien und Werte zeigen. Taste: G.</translation>
    </message>
    <message>
        <source>Set the exposure so that 99 % of the pixels are at most white; for a single channel or false colours, set black and white point. Uses the selection if there is one. Key: A.</source>
        <translation>Die Belichtung so einstellen, dass 99 % der Pixel höchstens weiß sind; bei einem einzelnen Kanal oder Falschfarben Schwarz- und Weißpunkt einstellen. Verwendet die Auswahl, falls vorhanden. Taste: A.</translation>
    </message>
    <message>
        <source>Reset all settings of the view (R)</source>
        <translation>Alle Einstellungen der Ansicht zurücksetzen (R)</translation>
    </message>
    <message>
        <source>Reset view settings</source>
        <translation>Einstellungen der Ansicht zurücksetzen</translation>
    </message>
    <message>
        <source>Offset slider</source>
        <translation>Schieber für den Versatz</translation>
    </message>
    <message>
        <source>Difference range</source>
        <translation>Bereich der Differenz</translation>
    </message>
    <message>
        <source>magma</source>
        <translation>Magma</translation>
    </message>
    <message>
        <source>Difference at the ends of the colour map; type any value. Automatic: 99 % of the differing samples lie within; FLIP from 0 to 1. Full: up to the largest difference. Samples beyond are red or green.</source>
        <translation>Differenz an den Enden der Farbskala; jeder Wert kann eingegeben werden. Automatisch: 99 % der verschiedenen Werte liegen darin; FLIP von 0 bis 1. Voll: bis zur größten Differenz. Werte außerhalb sind rot oder grün.</translation>
    </message>
    <message>
        <source>full</source>
        <translation>voll</translation>
    </message>
    <message>
        <source>FLIP</source>
        <translation>FLIP</translation>
    </message>
    <message>
        <source>SSIM</source>
        <translation>SSIM</translation>
    </message>
    <message>
        <source>Kind of difference in its pane: with its sign, its magnitude, its magnitude relative to the larger of the two samples, or its square; of all channels the largest. FLIP (Andersson et al. 2020, 2021) and SSIM (Wang et al. 2004) map errors as an observer sees them; for SSIM, 1 − SSIM.</source>
        <translation>Art der Differenz in ihrer Bildfläche: mit Vorzeichen, ihr Betrag, ihr Betrag relativ zum größeren der beiden Werte oder ihr Quadrat; von allen Kanälen die größte. FLIP (Andersson et al. 2020, 2021) und SSIM (Wang et al. 2004) zeigen Fehler, wie ein Betrachter sie sieht; bei SSIM 1 − SSIM.</translation>
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
        <source>MIP</source>
        <translation>MIP</translation>
    </message>
    <message>
        <source>MinIP</source>
        <translation>MinIP</translation>
    </message>
    <message>
        <source>Slice %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>%1 %2 mm · %3 slices around %4</source>
        <translation>%1 %2 mm · %3 Schichten um %4</translation>
    </message>
    <message>
        <source>Computing slab …</source>
        <translation>Schichtpaket wird berechnet …</translation>
    </message>
    <message>
        <source>%1 voxels</source>
        <translation>%1 Voxel</translation>
    </message>
    <message>
        <source>%1 mm</source>
        <translation>%1 mm</translation>
    </message>
    <message>
        <source>%1°</source>
        <translation>%1°</translation>
    </message>
</context>
<context>
    <name>parallax::ui::VolumePanel</name>
    <message>
        <source>Window preset</source>
        <translation>Fenstervorgabe</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Lage</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Slab</source>
        <translation>Schichtpaket</translation>
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
        <source> mm</source>
        <translation> mm</translation>
    </message>
    <message>
        <source>Planes</source>
        <translation>Ebenen</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
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
    <message>
        <source>Smooth</source>
        <translation>Glatt</translation>
    </message>
    <message>
        <source>Radiological</source>
        <translation>Radiologisch</translation>
    </message>
    <message>
        <source>Crosshair</source>
        <translation>Fadenkreuz</translation>
    </message>
    <message>
        <source>Inverted</source>
        <translation>Invertiert</translation>
    </message>
    <message>
        <source>Value shown as middle grey. Right-drag up or down in a pane to change it.</source>
        <translation>Wert, der als mittleres Grau gezeigt wird. Ziehen mit der rechten Maustaste nach oben oder unten in einer Bildfläche ändert ihn.</translation>
    </message>
    <message>
        <source>Range of values from black to white. Right-drag left or right in a pane to change it.</source>
        <translation>Wertebereich von Schwarz bis Weiß. Ziehen mit der rechten Maustaste nach links oder rechts in einer Bildfläche ändert ihn.</translation>
    </message>
    <message>
        <source>How several slices around the crosshair are combined: maximum (MIP), minimum (MinIP) or mean. For differences, MIP and MinIP show the value of largest magnitude.</source>
        <translation>Wie mehrere Schichten um das Fadenkreuz zusammengefasst werden: Maximum (MIP), Minimum (MinIP) oder Mittel. Bei Differenzen zeigen MIP und MinIP den Wert mit dem größten Betrag.</translation>
    </message>
    <message>
        <source>Single slice</source>
        <translation>Einzelne Schicht</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Slab thickness</source>
        <translation>Dicke des Schichtpakets</translation>
    </message>
    <message>
        <source>Slab thickness: includes the slices whose centres are within half of it from the crosshair</source>
        <translation>Dicke des Schichtpakets: umfasst die Schichten, deren Mitte höchstens um die Hälfte davon vom Fadenkreuz entfernt ist</translation>
    </message>
    <message>
        <source>Planes to show (Alt+1 to Alt+4)</source>
        <translation>Angezeigte Ebenen (Alt+1 bis Alt+4)</translation>
    </message>
    <message>
        <source>All three</source>
        <translation>Alle drei</translation>
    </message>
    <message>
        <source>Axial</source>
        <translation>Axial</translation>
    </message>
    <message>
        <source>Coronal</source>
        <translation>Koronar</translation>
    </message>
    <message>
        <source>Sagittal</source>
        <translation>Sagittal</translation>
    </message>
    <message>
        <source>Interpolate between voxels on the screen. Values under the mouse are always those of the voxels.</source>
        <translation>Auf dem Bildschirm zwischen Voxeln interpolieren. Werte unter der Maus sind immer die der Voxel.</translation>
    </message>
    <message>
        <source>Show the crosshair (H)</source>
        <translation>Fadenkreuz zeigen (H)</translation>
    </message>
    <message>
        <source>Show small values bright and large values dark (I)</source>
        <translation>Kleine Werte hell und große Werte dunkel zeigen (I)</translation>
    </message>
    <message>
        <source>Volume size</source>
        <translation>Größe des Volumens</translation>
    </message>
    <message>
        <source>Voxel spacing and size of the volume</source>
        <translation>Voxelabstand und Größe des Volumens</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigenes</translation>
    </message>
    <message>
        <source>%1 (W %2, L %3)</source>
        <translation>%1 (B %2, L %3)</translation>
    </message>
    <message>
        <source>Volume of the file to show; in commands FILE#%1. Window, planes and crosshair are kept.</source>
        <translation>Angezeigtes Volumen der Datei; in Befehlen FILE#%1. Fenster, Ebenen und Fadenkreuz bleiben erhalten.</translation>
    </message>
    <message>
        <source> / %1</source>
        <translation> / %1</translation>
    </message>
    <message>
        <source>Voxel spacing %1 × %2 × %3 mm, size %4 × %5 × %6 mm</source>
        <translation>Voxelabstand %1 × %2 × %3 mm, Größe %4 × %5 × %6 mm</translation>
    </message>
    <message>
        <source>. The file holds no patient orientation</source>
        <translation>. Die Datei enthält keine Patientenorientierung</translation>
    </message>
    <message>
        <source>Show the patient&apos;s right on the left of axial and coronal planes, as seen from the feet; otherwise on the right</source>
        <translation>Die rechte Seite des Patienten in axialen und koronaren Ebenen links zeigen, von den Füßen aus gesehen; sonst rechts</translation>
    </message>
    <message>
        <source>The file holds no patient orientation: planes are named by the axes x, y and z of the file, and x points right</source>
        <translation>Die Datei enthält keine Patientenorientierung: Die Ebenen sind nach den Achsen x, y und z der Datei benannt, und x zeigt nach rechts</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Page of the file</source>
        <translation>Seite der Datei</translation>
    </message>
    <message>
        <source>Page of the file to show; in commands FILE#%1</source>
        <translation>Angezeigte Seite der Datei; in Befehlen FILE#%1</translation>
    </message>
    <message>
        <source>Windows for tissues in CT (width W, level L), those stored in the file and your own. Affects only the display.</source>
        <translation>Fenster für Gewebe in der CT (Breite W, Lage L), die in der Datei gespeicherten und eigene. Betrifft nur die Anzeige.</translation>
    </message>
</context>
<context>
    <name>parallax::ui::VolumeView</name>
    <message>
        <source>Voxel under the mouse</source>
        <translation>Voxel unter der Maus</translation>
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
        <source>Level %1, width %2 %3</source>
        <translation>Lage %1, Breite %2 %3</translation>
    </message>
    <message>
        <source>%1 slice</source>
        <translation>Schicht %1</translation>
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
        <source>Click or drag: crosshair. Wheel, Up, Down: slices (Shift: ten). Right drag or Shift+drag: window and level. Ctrl+wheel: zoom. Middle drag or Ctrl+drag: pan. Double click or Enter: single pane or all panes.</source>
        <translation>Klicken oder Ziehen: Fadenkreuz. Mausrad, Pfeil auf, Pfeil ab: Schichten (Umschalt: zehn). Rechts ziehen oder Umschalt+Ziehen: Fensterbreite und -lage. Strg+Mausrad: Vergrößerung. Mit der mittleren Taste ziehen oder Strg+Ziehen: verschieben. Doppelklick oder Eingabetaste: einzelne Bildfläche oder alle Bildflächen.</translation>
    </message>
    <message>
        <source>Voxel under the mouse, or at the crosshair: index along x, y and z from 0, position in the patient in mm (left or right, back or front, head or feet) and values</source>
        <translation>Voxel unter der Maus oder am Fadenkreuz: Index entlang x, y und z ab 0, Position im Patienten in mm (links oder rechts, hinten oder vorn, Kopf oder Füße) und Werte</translation>
    </message>
    <message>
        <source>No patient orientation in the file: planes are named by its axes</source>
        <translation>Keine Patientenorientierung in der Datei: Ebenen sind nach deren Achsen benannt</translation>
    </message>
    <message>
        <source>Voxel spacing and orientation unknown</source>
        <translation>Voxelabstand und Orientierung unbekannt</translation>
    </message>
    <message>
        <source>Voxel axes up to %1° oblique; planes follow them</source>
        <translation>Voxelachsen bis zu %1° schräg; die Ebenen folgen ihnen</translation>
    </message>
    <message>
        <source>Slice of the plane %1 (index %2, counted from 0). The wheel over a pane changes it too.</source>
        <translation>Schicht der Ebene %1 (Index %2, ab 0 gezählt). Das Mausrad über einer Bildfläche ändert sie ebenfalls.</translation>
    </message>
    <message>
        <source>%1 %2 / %3</source>
        <translation>%1 %2 / %3</translation>
    </message>
    <message>
        <source>%1 − %2</source>
        <translation>%1 − %2</translation>
    </message>
    <message>
        <source>Differences are shown in the planes.</source>
        <translation>Differenzen werden in den Ebenen gezeigt.</translation>
    </message>
    <message>
        <source>Alt+5 shows a rendering here</source>
        <translation>Alt+5 zeigt hier ein Rendering</translation>
    </message>
</context>
<context>
    <name>parallax::ui::WindowPresetDialog</name>
    <message>
        <source>Save window preset</source>
        <translation>Fenstervorgabe speichern</translation>
    </message>
    <message>
        <source>Edit window preset</source>
        <translation>Fenstervorgabe bearbeiten</translation>
    </message>
    <message>
        <source>Preset name</source>
        <translation>Name der Vorgabe</translation>
    </message>
    <message>
        <source>Name of the preset in the lists of windows</source>
        <translation>Name der Vorgabe in den Listen der Fenster</translation>
    </message>
    <message>
        <source>Number key</source>
        <translation>Zifferntaste</translation>
    </message>
    <message>
        <source>Key that shows this window. 1 is taken: it shows actual pixels.</source>
        <translation>Taste, die dieses Fenster zeigt. 1 ist vergeben: Sie zeigt die Originalgröße.</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Lage</translation>
    </message>
    <message>
        <source>Value shown as middle grey</source>
        <translation>Wert, der als mittleres Grau gezeigt wird</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Range of values from black to white</source>
        <translation>Wertebereich von Schwarz bis Weiß</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>%1 (now %2)</source>
        <translation>%1 (jetzt %2)</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation>&amp;Taste</translation>
    </message>
    <message>
        <source>&amp;Level</source>
        <translation>&amp;Lage</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>&amp;Breite</translation>
    </message>
    <message>
        <source>%1 exists and will be replaced</source>
        <translation>%1 ist vorhanden und wird ersetzt</translation>
    </message>
</context>
<context>
    <name>parallax::ui::WindowPresetMenu</name>
    <message>
        <source>Window presets</source>
        <translation>Fenstervorgaben</translation>
    </message>
    <message>
        <source>Save, edit and delete window presets</source>
        <translation>Fenstervorgaben speichern, bearbeiten und löschen</translation>
    </message>
    <message>
        <source>&amp;Save preset …</source>
        <translation>Vorgabe &amp;speichern …</translation>
    </message>
    <message>
        <source>Save window and level under a name and a number key</source>
        <translation>Breite und Lage unter einem Namen und einer Zifferntaste speichern</translation>
    </message>
    <message>
        <source>Change name, key, level or width of the selected preset</source>
        <translation>Name, Taste, Lage oder Breite der ausgewählten Vorgabe ändern</translation>
    </message>
    <message>
        <source>Delete the selected preset</source>
        <translation>Die ausgewählte Vorgabe löschen</translation>
    </message>
    <message>
        <source>&amp;Edit “%1” …</source>
        <translation>„%1“ &amp;bearbeiten …</translation>
    </message>
    <message>
        <source>&amp;Edit …</source>
        <translation>&amp;Bearbeiten …</translation>
    </message>
    <message>
        <source>&amp;Delete “%1” …</source>
        <translation>„%1“ &amp;löschen …</translation>
    </message>
    <message>
        <source>&amp;Delete …</source>
        <translation>&amp;Löschen …</translation>
    </message>
    <message>
        <source>Delete the preset?</source>
        <translation>Vorgabe löschen?</translation>
    </message>
    <message>
        <source>The window preset “%1” will be deleted.</source>
        <translation>Die Fenstervorgabe „%1“ wird gelöscht.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
</context>
<context>
    <name>parallax::ui::WorstPixelsPanel</name>
    <message>
        <source>x, y</source>
        <translation>x, y</translation>
    </message>
    <message>
        <source>Largest differences</source>
        <translation>Größte Differenzen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>x, y, z</source>
        <translation>x, y, z</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1, %2, %3</translation>
    </message>
    <message>
        <source>No comparison yet</source>
        <translation>Noch kein Vergleich</translation>
    </message>
    <message>
        <source>%1 − %2</source>
        <translation>%1 − %2</translation>
    </message>
    <message>
        <source>Largest differences between %1 and %2. A click or Enter shows the pixel in every pane and marks it.</source>
        <translation>Größte Differenzen zwischen %1 und %2. Ein Klick oder die Eingabetaste zeigt das Pixel in jeder Bildfläche und markiert es.</translation>
    </message>
    <message>
        <source>None: %1 and %2 are identical</source>
        <translation>Keine: %1 und %2 sind identisch</translation>
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
        <source>From file</source>
        <translation>Aus Datei</translation>
    </message>
    <message>
        <source>From file, %1</source>
        <translation>Aus Datei, %1</translation>
    </message>
    <message>
        <source>From file: %1</source>
        <translation>Aus Datei: %1</translation>
    </message>
    <message>
        <source>Automatic (data range)</source>
        <translation>Datenbereich</translation>
    </message>
</context>
</TS>
