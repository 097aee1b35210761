// Lines of sh that differ between systems. They run in dash, bash 3.2, zsh and busybox, on GNU and BSD programs.

/**
 * Sets `$boot` to the id of this boot and `$up` to the seconds since it; both are empty if the system has no files that
 * say so. A program for it would cost each report of a hook a start.
 */
export const readBootClock = `boot= up=
read -r boot </proc/sys/kernel/random/boot_id
read -r up rest </proc/uptime
case $boot$up in *[!0-9a-f.-]*) boot= up= ;; esac`;

/** True for process $1 if it has ended and its parent has not noticed: a signal still reaches it. */
export const isZombie = 'grep -q "^State:.Z" "/proc/$1/status" 2>/dev/null';

/**
 * Sets `ns` to the pid namespace if the system has any, and `client` to the pid of our parent, made unlike that of any
 * client in another container. The machine's first pid namespace has a fixed number.
 */
export const nameClient = `ns=$(readlink /proc/self/ns/pid) client=$PPID
case \${ns#pid:} in *[!][0-9]*) ns= ;; esac
case $ns in '' | 'pid:[4026531836]') ;; *) client=\${ns#pid:?} && client=$PPID.\${client%?} ;; esac`;
