/**
 * Machines of their own for the processes of a cluster: networks that can be cut and made slow, and
 * disks that can be filled and stopped. They need root and Linux; without these they cannot be
 * opened, and tests go on without the faults that need them. In: what is to break. Out: nothing but
 * what the processes notice.
 */
@NullMarked
package io.alrai.e2e.machine;

import org.jspecify.annotations.NullMarked;
