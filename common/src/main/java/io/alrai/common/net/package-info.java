/** Where processes listen, and the name of this machine. Any thread. */
@NullMarked
package io.alrai.common.net;

import org.jspecify.annotations.NullMarked;
