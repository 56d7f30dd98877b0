/** Tests of what statements need. */
@NullMarked
package io.alrai.optimizer.privilege;

import org.jspecify.annotations.NullMarked;
