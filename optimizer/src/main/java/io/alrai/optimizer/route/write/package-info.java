/** Plans of UPDATE and DELETE. Stateless; any thread. */
@NullMarked
package io.alrai.optimizer.route.write;

import org.jspecify.annotations.NullMarked;
