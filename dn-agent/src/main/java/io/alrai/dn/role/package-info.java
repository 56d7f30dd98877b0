/** Leader, follower, logger, learner: what an agent does now, and how that changes. */
@NullMarked
package io.alrai.dn.role;

import org.jspecify.annotations.NullMarked;
