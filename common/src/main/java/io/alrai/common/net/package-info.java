/** Addresses of this machine. */
@NullMarked
package io.alrai.common.net;

import org.jspecify.annotations.NullMarked;
