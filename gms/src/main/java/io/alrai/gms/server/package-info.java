/** A GMS node: the Raft server, its storage and its ports. */
@NullMarked
package io.alrai.gms.server;

import org.jspecify.annotations.NullMarked;
