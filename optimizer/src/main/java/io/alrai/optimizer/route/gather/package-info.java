/**
 * Plans of queries whose rows are brought together: joins on the CN, copies to one DN. Stateless;
 * any thread.
 */
@NullMarked
package io.alrai.optimizer.route.gather;

import org.jspecify.annotations.NullMarked;
