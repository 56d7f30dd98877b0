/**
 * The envelope between CN and agent over TCP: frames with the sender's clock in each, branches and
 * calls, and the log for followers. Both ends are here. Event loops; the log has a thread for each
 * connection.
 */
@NullMarked
package io.alrai.dn.rpc;

import org.jspecify.annotations.NullMarked;
