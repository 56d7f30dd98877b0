/**
 * TLS of the envelope's connections: comes in is a channel whose agent greets in the clear, goes
 * out is the same channel with all that follows the greeting encrypted. Event loops; steps of
 * handshakes on threads of their own.
 */
@NullMarked
package io.alrai.dn.rpc.tls;

import org.jspecify.annotations.NullMarked;
