/**
 * Learners of a DN (docs/design/0086): agents whose mysqld has all rows and that have no vote. What
 * a group has committed comes in from one of its voters, whichever can be had; reads go out, as at
 * members that follow. A learner has a thread for what it does, and its feeder one for what it
 * reads.
 */
@NullMarked
package io.alrai.dn.learner;

import org.jspecify.annotations.NullMarked;
