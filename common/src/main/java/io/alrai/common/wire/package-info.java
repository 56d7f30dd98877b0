/**
 * The MySQL client/server protocol as bytes: packet headers, length-encoded values, handshakes, and
 * the framer that knows where a reply ends. In: buffers of whole packets. Out: positions and
 * values; nothing is copied that need not be. No I/O and no threads of its own.
 */
@NullMarked
package io.alrai.common.wire;

import org.jspecify.annotations.NullMarked;
