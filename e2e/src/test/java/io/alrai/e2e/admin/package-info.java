/** What a DBA sees of a cluster that runs. */
@NullMarked
package io.alrai.e2e.admin;

import org.jspecify.annotations.NullMarked;
