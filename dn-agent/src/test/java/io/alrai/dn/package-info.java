/** What the tests of all packages use. */
@NullMarked
package io.alrai.dn;

import org.jspecify.annotations.NullMarked;
