/**
 * Planned changes of groups' leaders (docs/design/0076-planned-switch-over.md), by name and by zone
 * (docs/design/0096-zones.md). In: a statement, or the primary zone of the catalog. Out: what the
 * leader of a group is asked for. Blocks, on a statement's thread or on one of its own.
 */
@NullMarked
package io.alrai.cn.leader;

import org.jspecify.annotations.NullMarked;
