/** The DN group's replicated log. */
@NullMarked
package io.alrai.dn.raft;

import org.jspecify.annotations.NullMarked;
