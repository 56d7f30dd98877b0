/**
 * Decides when commits become visible, and opens views at a timestamp: a state machine without I/O,
 * time or threads. In: transactions of the stream, prepared branches, decisions, requests for
 * views. Out: effects, in the order in which they are to be carried out.
 */
@NullMarked
package io.alrai.dn.gate;

import org.jspecify.annotations.NullMarked;
