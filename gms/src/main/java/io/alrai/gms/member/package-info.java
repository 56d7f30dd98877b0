/**
 * Who the nodes of the GMS are: what a process has heard of them and keeps for its next start, how
 * nodes are asked, and how their group changes. Comes in: a configuration's addresses. Goes out:
 * {@link io.alrai.gms.api.node.GmsMembers}. Any thread; asking blocks.
 */
@NullMarked
package io.alrai.gms.member;

import org.jspecify.annotations.NullMarked;
