/**
 * The MySQL client/server protocol as bytes: packet headers, length-encoded values, handshakes, and
 * the framer that finds the end of a reply. In: buffers of whole packets. Out: positions and
 * values; copies only what it must. No I/O and no threads of its own.
 */
@NullMarked
package io.alrai.common.wire;

import org.jspecify.annotations.NullMarked;
