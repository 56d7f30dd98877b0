/**
 * DDL jobs: their steps, owners and progress, as state of the catalog. Pure; the CNs run the steps.
 */
@NullMarked
package io.alrai.gms.ddl;

import org.jspecify.annotations.NullMarked;
