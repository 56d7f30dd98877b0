/** The envelope between CN and agent over TCP: frames with the clock on each. Event loops only. */
@NullMarked
package io.alrai.dn.rpc;

import org.jspecify.annotations.NullMarked;
