/**
 * The catalog's state, and how commands change it. In: a state and a command. Out: the next state,
 * or MySQL's error. Pure and deterministic, without I/O.
 */
@NullMarked
package io.alrai.gms.catalog;

import org.jspecify.annotations.NullMarked;
