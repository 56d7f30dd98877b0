/**
 * The envelope's form on the wire: frames, messages and proofs, and how they are written and read.
 * Nothing here knows a connection; connections are in {@code dn.rpc}.
 */
@NullMarked
package io.alrai.dn.rpc.wire;

import org.jspecify.annotations.NullMarked;
