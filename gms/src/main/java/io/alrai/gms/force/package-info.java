/**
 * The way out when a majority of the GMS' nodes is lost: one that is left becomes the whole group.
 * Comes in: the data directory of a node that does not run. Goes out: the same with the log of the
 * next generation. One thread; blocking.
 */
@NullMarked
package io.alrai.gms.force;

import org.jspecify.annotations.NullMarked;
