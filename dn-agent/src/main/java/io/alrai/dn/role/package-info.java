/**
 * An agent's place in its DN: {@link io.alrai.dn.role.Member} is what it is for as long as its
 * process, {@link io.alrai.dn.role.LeaderPart} what it does while it leads, {@link
 * io.alrai.dn.role.DnAgent} the member of one replica, which leads until it founds a group, {@link
 * io.alrai.dn.role.GroupAgent} the one that leads while its group wants it
 * (docs/design/0068-members-and-leaders.md). In: a mysqld to supervise and the event loops of the
 * process. Out: the link of the DN, its log, its clock. Blocking; any one thread.
 */
@NullMarked
package io.alrai.dn.role;

import org.jspecify.annotations.NullMarked;
