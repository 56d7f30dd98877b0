/** What people who run Alrai watch it with. */
@NullMarked
package io.alrai.e2e.ops;

import org.jspecify.annotations.NullMarked;
