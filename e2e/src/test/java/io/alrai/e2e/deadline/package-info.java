/** The time that statements have: what ends after it, and what goes on. */
@NullMarked
package io.alrai.e2e.deadline;

import org.jspecify.annotations.NullMarked;
