/** The catalog's state and how commands change it: pure, deterministic, no I/O. */
@NullMarked
package io.alrai.gms.catalog;

import org.jspecify.annotations.NullMarked;
