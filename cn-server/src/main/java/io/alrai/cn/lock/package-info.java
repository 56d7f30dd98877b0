/**
 * Locks over the whole cluster, of FLUSH TABLES WITH READ LOCK and LOCK INSTANCE FOR BACKUP: what
 * may begin on this CN while there are some ({@link io.alrai.cn.lock.Admission}), what waits for
 * that ({@link io.alrai.cn.lock.SessionAdmission}), and who tells the GMS that nothing is at work
 * any more ({@link io.alrai.cn.lock.LockKeeper}). In come the locks in the catalog;
 * docs/design/0034 says how they are taken.
 */
@NullMarked
package io.alrai.cn.lock;

import org.jspecify.annotations.NullMarked;
