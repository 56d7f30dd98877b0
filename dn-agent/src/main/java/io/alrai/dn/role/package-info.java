/**
 * A DN's agent put together: the mysqld and its supervisor, the stream of its log, the gate,
 * commits, recovery and the purge of old log files. In: configuration. Out: a link for CNs, and a
 * feed of what became visible.
 */
@NullMarked
package io.alrai.dn.role;

import org.jspecify.annotations.NullMarked;
