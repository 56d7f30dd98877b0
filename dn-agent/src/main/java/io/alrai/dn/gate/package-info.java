/**
 * Decides when commits become visible and opens views at a timestamp: a pure state machine, fed by
 * the stream.
 */
@NullMarked
package io.alrai.dn.gate;

import org.jspecify.annotations.NullMarked;
