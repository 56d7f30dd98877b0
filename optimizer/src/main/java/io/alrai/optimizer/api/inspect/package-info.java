/**
 * What texts say of themselves, for those who do not plan them: the tables and columns that they
 * name, limits, secrets, what a view writes. In: text, and the catalog where names need it. Out:
 * plain values. Pure; any thread.
 */
@NullMarked
package io.alrai.optimizer.api.inspect;

import org.jspecify.annotations.NullMarked;
