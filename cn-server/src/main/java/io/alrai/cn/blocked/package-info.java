/**
 * Who waits for whose lock. In: what each DN's mysqld says of its locks, and what each CN says of
 * which session has which of the mysqld's connections. Out: waits with names that clients know, and
 * ids that KILL takes. Virtual threads.
 */
@NullMarked
package io.alrai.cn.blocked;

import org.jspecify.annotations.NullMarked;
