/** Fans the stream out to its consumers with positions and back-pressure. */
@NullMarked
package io.alrai.dn.ship;

import org.jspecify.annotations.NullMarked;
