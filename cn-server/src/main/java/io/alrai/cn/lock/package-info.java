/**
 * The cluster-wide locks of FLUSH TABLES WITH READ LOCK and LOCK INSTANCE FOR BACKUP. {@link
 * io.alrai.cn.lock.Admission} decides what may begin on this CN while there are locks, {@link
 * io.alrai.cn.lock.SessionAdmission} waits for that, and {@link io.alrai.cn.lock.LockKeeper}
 * reports to the GMS that nothing is at work any more. In: the locks in the catalog. See
 * docs/design/0034 for how they are taken.
 */
@NullMarked
package io.alrai.cn.lock;

import org.jspecify.annotations.NullMarked;
