/**
 * What the other modules see of the GMS: catalog records and the service interface. Plain values;
 * any thread.
 */
@NullMarked
package io.alrai.gms.api;

import org.jspecify.annotations.NullMarked;
