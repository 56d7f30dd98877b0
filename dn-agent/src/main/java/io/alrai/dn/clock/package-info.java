/** The DN's hybrid logical clock and its persisted high-water mark. */
@NullMarked
package io.alrai.dn.clock;

import org.jspecify.annotations.NullMarked;
