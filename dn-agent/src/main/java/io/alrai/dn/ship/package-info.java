/**
 * Fans the stream out to its readers. In: transactions that were let through, in the order of the
 * log. Out: the same to each reader from its own position, at its own pace: from memory while it is
 * near the end, else from the mysqld over a connection of its own. Filled on the stream's event
 * loop; a reader belongs to one thread.
 */
@NullMarked
package io.alrai.dn.ship;

import org.jspecify.annotations.NullMarked;
