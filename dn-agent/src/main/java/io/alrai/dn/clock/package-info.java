/**
 * The DN's hybrid logical clock, and its high-water mark on disk, so that it never goes back. Any
 * thread.
 */
@NullMarked
package io.alrai.dn.clock;

import org.jspecify.annotations.NullMarked;
