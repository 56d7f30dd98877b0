/**
 * The hybrid logical clock of PolarDB-X (section IV): timestamps that follow causality and stay
 * close to wall time. Plain values and one thread-safe clock; wall time is passed in. And how long
 * to wait before something is tried again.
 */
@NullMarked
package io.alrai.common.time;

import org.jspecify.annotations.NullMarked;
