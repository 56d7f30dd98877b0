/** Ports of this machine to listen on, and its name. Any thread. */
@NullMarked
package io.alrai.common.net;

import org.jspecify.annotations.NullMarked;
