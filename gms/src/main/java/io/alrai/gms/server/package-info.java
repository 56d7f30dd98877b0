/**
 * One node of the GMS: the Raft server, its storage and its ports. In: configuration. Out: a
 * running node.
 */
@NullMarked
package io.alrai.gms.server;

import org.jspecify.annotations.NullMarked;
