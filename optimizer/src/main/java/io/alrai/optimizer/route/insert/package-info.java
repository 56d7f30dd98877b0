/** Plans of INSERT and REPLACE, with rows or with a query. Stateless; any thread. */
@NullMarked
package io.alrai.optimizer.route.insert;

import org.jspecify.annotations.NullMarked;
