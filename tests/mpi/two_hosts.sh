#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Follows resources/manual/clusters.md on two hosts of one machine: two Debian 12 systems with names, addresses, processes and ssh servers of
# their own, joined by a virtual cable. Needs root, Debian 12, debootstrap, iproute2, overlay file systems, a package mirror, and the packages
# parallax and parallax-worker of this version, as packaging/make_packages.sh makes them. Takes some ten minutes.
# Went through to "passed" on 28 November 2026: Parallax 0.1.0, Debian 12.15, Open MPI 4.1.4, on a virtual machine with two processors.
# Usage: tests/mpi/two_hosts.sh [--keep] FOLDER-WITH-DEBS [SCRATCH-FOLDER]
#   --keep  keep the installed system in SCRATCH-FOLDER and use it again the next time
set -euo pipefail
keep=no
if [ "${1:-}" = --keep ]; then keep=yes; shift; fi
packages=$(cd "${1:?the folder with the packages}" && pwd)
scratch=${2:-$(mktemp -d /tmp/parallax-two-hosts-XXXXXX)}
mkdir -p "$scratch"
scratch=$(cd "$scratch" && pwd)
system=$scratch/system shared=$scratch/shared
mirror=${PARALLAX_DEBIAN_MIRROR:-http://deb.debian.org/debian}
declare -A process  # of each host: its ssh server, the first process of its namespaces
net=plx$$           # prefix of names that the whole machine sees

say() { echo "two_hosts: $*"; }
fail() { echo "two_hosts: FAILED: $*" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || fail "needs root"
for program in debootstrap ip unshare nsenter python3; do command -v $program >/dev/null || fail "needs the program $program"; done

clean() {
    for host in "${!process[@]}"; do kill -KILL "${process[$host]}" 2>/dev/null || true; done
    wait 2>/dev/null || true
    for n in 1 2; do ip netns del "$net-node$n" 2>/dev/null || true; done
    rm -rf "$scratch"/node[12] "$shared"
    [ $keep = yes ] || rm -rf "$scratch"
}
trap clean EXIT
trap 'exit 1' INT TERM

# --- The system of both hosts, as from one image -------------------------------------------------------------------------------------------
make_system() {
    say "installing Debian 12"
    # debootstrap removes its own folder once it has gone through.
    { [ -e "$system/etc/debian_version" ] && [ ! -e "$system/debootstrap" ]; } || debootstrap --variant=minbase --include=ca-certificates bookworm "$system" "$mirror" >"$scratch/debootstrap.log"
    echo force-unsafe-io >"$system/etc/dpkg/dpkg.cfg.d/unsafe-io"
    printf '#!/bin/sh\nexit 101\n' >"$system/usr/sbin/policy-rc.d"  # no server starts while packages are installed
    chmod +x "$system/usr/sbin/policy-rc.d"
    cp /etc/resolv.conf "$system/etc/resolv.conf"
    mkdir -p "$system/packages" "$system/shared"
    cp "$packages"/parallax_*.deb "$packages"/parallax-worker_*.deb "$system/packages"
    say "installing the packages with their dependencies"
    unshare --mount chroot "$system" sh -ec 'mount -t proc proc /proc
        export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends ./packages/*.deb openmpi-bin openssh-server openssh-client sshpass procps
        apt-get clean
        useradd --create-home --shell /bin/bash ana
        echo ana:password-of-ana | chpasswd
        mkdir -p /run/sshd' >"$scratch/install.log" 2>&1 || { tail -n 20 "$scratch/install.log" >&2; fail "the packages cannot be installed"; }
    printf '127.0.0.1 localhost\n10.77.0.1 node1\n10.77.0.2 node2\n' >"$system/etc/hosts"
    touch "$system/complete"
}

boot() {  # number
    local host=node$1
    ip netns add "$net-$host"
    mkdir -p "$scratch/$host"
    # shellcheck disable=SC2016
    ip netns exec "$net-$host" unshare --mount --uts --ipc --pid --fork --kill-child=KILL bash -euc '
        hostname "$1"
        cd "$2"
        mkdir -p upper work root
        mount -t overlay overlay -o "lowerdir=$3,upperdir=upper,workdir=work" root
        mount --bind "$4" root/shared
        mount -t proc proc root/proc
        mount -t sysfs -o ro sysfs root/sys
        mount -t tmpfs tmpfs root/dev
        for device in null zero full random urandom tty; do touch root/dev/$device; mount --bind /dev/$device root/dev/$device; done
        mkdir root/dev/shm root/dev/pts
        mount -t tmpfs -o mode=1777 tmpfs root/dev/shm
        mount -t devpts -o newinstance,ptmxmode=0666 devpts root/dev/pts
        ln -s pts/ptmx root/dev/ptmx
        ln -s /proc/self/fd root/dev/fd
        mount -t tmpfs tmpfs root/run
        mkdir root/run/sshd
        echo "$1" >root/etc/hostname
        exec chroot root /usr/sbin/sshd -D -e' boot "$host" "$scratch/$host" "$system" "$shared" >"$scratch/$host/sshd.log" 2>&1 &
    local unshare=$!
    for _ in $(seq 100); do
        process[$host]=$(pgrep -P $unshare || true)
        [ -n "${process[$host]}" ] && grep -q listening "$scratch/$host/sshd.log" && return
        sleep 0.1
    done
    cat "$scratch/$host/sshd.log" >&2
    fail "$host does not start"
}

connect() {
    ip link add "$net-1" type veth peer name "$net-2"
    for n in 1 2; do
        ip link set "$net-$n" netns "$net-node$n" name eth0
        ip -n "$net-node$n" link set lo up
        ip -n "$net-node$n" addr add 10.77.0.$n/24 dev eth0
        ip -n "$net-node$n" link set eth0 up
    done
}

as_root() { local host=$1; shift; nsenter --target "${process[$host]}" --all --root --wd bash -c "$*"; }
# Runs a command line of the user on a host, in a login shell.
on() { local host=$1; shift; nsenter --target "${process[$host]}" --all --root --wd runuser -l ana -c "$*"; }
# Processes of jobs on a host.
# shellcheck disable=SC2016
jobs_on() { as_root "$1" 'for name in parallax-worker parallax-cli orted mpirun; do pgrep -lx $name || true; done'; }

# Fails unless nothing of a job is left on both hosts two seconds after `begin`.
assert_gone() {  # begin, what
    while [ -n "$(jobs_on node1)$(jobs_on node2)" ]; do
        [ $(($(date +%s%N) - $1)) -lt "$patience" ] || fail "$2: left on node1: $(jobs_on node1); on node2: $(jobs_on node2)"
        sleep 0.05
    done
}

milliseconds_since() { echo $((($(date +%s%N) - $1) / 1000000)); }
patience=10000000000  # nanoseconds
# Wall time over processor time of a short loop: 1 on an idle machine.
slowness() { python3 -c 'import time
b, p = time.monotonic(), time.thread_time()
while time.thread_time() - p < 0.05: pass
print(int((time.monotonic() - b) / (time.thread_time() - p) + 0.9))'; }

# Starts a command of the user on node1 that computes for long, kills its rank on node2, and checks the end.
kill_second_host() {  # pattern, milliseconds to its error on an idle machine, command
    local out=$scratch/killed.txt
    on node1 "$3" >"$out" 2>&1 &
    local client=$! rank=
    for _ in $(seq 300); do
        rank=$(as_root node2 'pgrep -ox parallax-worker || true')
        # It computes once it has used the processor for half a second.
        [ -n "$rank" ] && [ "$(as_root node2 "ps -o cputimes= -p $rank || echo 0")" -ge 1 ] && break
        kill -0 $client 2>/dev/null || { cat "$out" >&2; fail "ended too early: $3"; }
        sleep 0.2
    done
    local begin
    begin=$(date +%s%N)
    as_root node2 "kill -KILL $rank"
    while ! grep -qE "$1" "$out" && kill -0 $client 2>/dev/null; do sleep 0.02; done
    local took
    took=$(milliseconds_since "$begin")
    wait $client && fail "a run that has lost a rank succeeds: $3"
    grep -qE "$1" "$out" || { cat "$out" >&2; fail "the error does not say '$1'"; }
    assert_gone "$begin" "$3"
    say "a rank on node2 was killed: error after $took ms, nothing left after $(milliseconds_since "$begin") ms: $(grep -E "$1" "$out" | head -n 1)"
    [ "$took" -le $(($2 * $(slowness))) ] || fail "the error came after $took ms"
}

[ -e "$system/complete" ] || make_system
mkdir -p "$shared"
chmod 1777 "$shared"
boot 1
boot 2
connect

# --- The page, step by step: each part has the number of its heading --------------------------------------------------------------------
run='parallax-worker run --op convolve:size=7 --backend openmp --force'

say "1, 2: versions, names, ssh"
on node1 'ssh-keygen -q -t ed25519 -N "" -f ~/.ssh/id_ed25519
    sshpass -p password-of-ana ssh-copy-id -o StrictHostKeyChecking=accept-new node2 >/dev/null 2>&1'
[ "$(on node1 'ssh node2 parallax-cli --version')" = "$(on node1 'parallax-cli --version')" ] || fail "ssh to node2"

say "3: host file and first run"
on node1 'printf "node1 slots=2\nnode2 slots=2\n" >hosts'
[ "$(on node1 'mpirun --hostfile hosts -n 4 hostname' | sort | tr '\n' ' ')" = "node1 node1 node2 node2 " ] || fail "places of ranks"
on node1 "mpirun --hostfile hosts -n 4 $run -i synthetic:zone-plate:1024x1024 -o ranks.exr
    parallax-cli ${run#* } -i synthetic:zone-plate:1024x1024 -o one.exr
    cmp ranks.exr one.exr" || fail "the bytes of ranks and of one process differ"

say "4: input files"
on node1 'cp one.exr /var/tmp/scene.exr && parallax-cli run -i one.exr -o /var/tmp/scene.png --op tonemap --backend openmp'
on node1 "mpirun -q --hostfile hosts -n 4 $run -i /var/tmp/scene.exr -o out.exr" >"$scratch/text" 2>&1 && fail "a machine lacks the file, but the run succeeds"
grep -E "^parallax-worker: .*scene.exr.*does not exist.* on node2" "$scratch/text" || { cat "$scratch/text" >&2; fail "no clear error for a missing file"; }
[ "$(grep -c '^parallax-worker: ' "$scratch/text")" = 1 ] || { cat "$scratch/text" >&2; fail "more than one message"; }
on node1 'head -c 1000 /var/tmp/scene.exr | ssh node2 "cat >/var/tmp/scene.exr"'
on node1 "mpirun -q --hostfile hosts -n 4 $run -i /var/tmp/scene.exr -o out.exr" >"$scratch/text" 2>&1 && fail "a machine has half the file, but the run succeeds"
grep -E "^parallax-worker: .*scene.exr.* on node2" "$scratch/text" || { cat "$scratch/text" >&2; fail "no clear error for another file"; }
on node1 "scp -q /var/tmp/scene.exr node2:/var/tmp/scene.exr
    mpirun --hostfile hosts -n 4 $run -i /var/tmp/scene.exr -o copies.exr
    cp one.exr /shared/scene.exr
    mpirun --hostfile hosts -n 4 $run -i /shared/scene.exr -o /shared/out.exr
    cmp copies.exr /shared/out.exr
    mpirun --hostfile hosts -n 4 $run -i /var/tmp/scene.png -o png.exr" || fail "copies, a shared folder, or a format that rank 0 reads"

say "5: both machines take part"
on node1 'mpirun --hostfile hosts -n 4 parallax-worker bench --effort quick -i synthetic:noise:512x512 --op convolve:size=7 --backend openmp@1 \
    --backend openmp --report ranks.json' >"$scratch/text"
grep -E '2 ranks on node1 \(.*\), 2 ranks on node2 \(' "$scratch/text" || { cat "$scratch/text" >&2; fail "the table does not name both hosts"; }

say "6: from the command line"
launcher="export PARALLAX_MPI_LAUNCHER=\"mpirun --hostfile \$HOME/hosts --map-by node -n {ranks}\"; "
on node1 "$launcher parallax-cli bench --effort quick -i synthetic:noise:512x512 --op convolve:size=7 --backend openmp --backend mpi.openmp@2 \
    --report mpi.json" >"$scratch/text" 2>&1 || { cat "$scratch/text" >&2; fail "mpi.openmp@2"; }
grep -E 'mpi.openmp@2: .*1 rank on node1 \(.*\), 1 rank on node2 \(' "$scratch/text" || { cat "$scratch/text" >&2; fail "the hosts of mpi.openmp@2 are not named"; }

for record in ranks.json mpi.json; do
    on node1 "cat $record" | python3 -c 'import json, sys
hosts = [h["name"] for e in json.load(sys.stdin)["entries"] for h in e.get("hosts", [])]
sys.exit(hosts != ["node1", "node2"])' || fail "$record does not name both hosts once"
done

say "A rank on the second host is killed"
long='-i synthetic:noise:1500x1500 --op poisson -o never.exr'
# Open MPI notices the end of a rank that is alone on its machine, and gives the others time to end.
kill_second_host 'rank 1 .*on .*node2' 5000 "mpirun --hostfile hosts --map-by node -n 2 parallax-worker run $long --backend openmp.cg"
kill_second_host 'rank [23] on node2' 2000 "mpirun --hostfile hosts -n 4 parallax-worker run $long --backend openmp.cg"
kill_second_host 'rank 1 .*on .*node2' 2000 "$launcher parallax-cli run $long --backend mpi.openmp.cg@2"
kill_second_host 'rank [13] on node2' 2000 "$launcher parallax-cli run $long --backend mpi.openmp.cg@4"
[ -z "$(on node1 'ls -A | grep never || true')" ] || fail "an unfinished file is left"

say "When it does not work"
backend="parallax-cli run -i one.exr -o never.exr --op convolve --backend mpi.openmp@2"
# Runs a command that must fail on node1 with one line that matches, and prints it.
fails() {  # pattern, command
    on node1 "$2" >"$scratch/text" 2>&1 && fail "succeeds: $2"
    grep -E -m 1 "$1" "$scratch/text" || { cat "$scratch/text" >&2; fail "the error does not say '$1': $2"; }
}
on node1 'sed s/node2/node3/ hosts >hosts3'
fails 'Could not resolve hostname node3: .*Correct the host file' "${launcher/hosts /hosts3 } $backend"
on node2 'mv .ssh/authorized_keys .ssh/moved'
fails 'node2: Permission denied .*ssh-copy-id' "$launcher $backend"
on node2 'mv .ssh/moved .ssh/authorized_keys'
on node1 'mv .ssh/known_hosts .ssh/moved'
fails 'Host key verification failed.*accept the key' "$launcher $backend"
on node1 'mv .ssh/moved .ssh/known_hosts'
as_root node2 'mv /usr/bin/parallax-worker /usr/bin/moved'
fails 'node2.*Install the same version of Parallax' "$launcher $backend"
as_root node2 'mv /usr/bin/moved /usr/bin/parallax-worker; mv /usr/bin/orted /usr/bin/moved'
fails 'orted: .*Install Open MPI' "$launcher $backend"
as_root node2 'mv /usr/bin/moved /usr/bin/orted; cd /usr/lib; cp -p libparallax_core.so.0.* /root
    sed -i "s,[0-9]\(\.[0-9]*\.[0-9]*/GNU-\),x\1," libparallax_core.so.0.*'
fails 'different builds.*node2.*Install the same version' "$launcher $backend"
fails '^parallax-worker: .*different builds.*node2.*Install the same version' "mpirun --hostfile hosts -n 4 $run -i one.exr -o never.exr"
[ "$(grep -c '^parallax-worker: ' "$scratch/text")" = 1 ] || { cat "$scratch/text" >&2; fail "more than one message"; }
as_root node2 'mv /root/libparallax_core.so.0.* /usr/lib'
small="$run -i synthetic:noise:64x64 -o small.exr"
on node1 "mpirun --hostfile hosts --mca oob_tcp_dynamic_ipv4_ports 46000-46100 --mca btl_tcp_port_min_v4 46101 --mca btl_tcp_port_range_v4 100 \
    -n 4 $small" >/dev/null || fail "a range of ports"
# A bridge with the same address on both hosts, as Docker makes.
for n in 1 2; do
    ip -n "$net-node$n" link add docker0 type bridge
    ip -n "$net-node$n" addr add 172.17.0.1/16 dev docker0
    ip -n "$net-node$n" link set docker0 up
done
fails 'TCP connect.*btl_tcp_if_include' "export PARALLAX_MPI_START_SECONDS=30; $launcher $backend"
on node1 "mpirun --hostfile hosts --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 -n 4 $small" >/dev/null ||
    fail "the network is named, but ranks do not connect"
[ -z "$(on node1 'ls -A | grep never || true')" ] || fail "an unfinished file is left"
say "passed"
