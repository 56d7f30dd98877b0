/**
 * MySQL's types, character sets and collations as the protocol numbers them. Plain values; any
 * thread.
 */
@NullMarked
package io.alrai.common.type;

import org.jspecify.annotations.NullMarked;
