/**
 * One member becomes the group (docs/design/0080-force-leader.md): what it would go on with, and
 * who else answers. Comes in: a log that runs. Goes out: what a person hears before. Blocking; any
 * thread.
 */
@NullMarked
package io.alrai.dn.force;

import org.jspecify.annotations.NullMarked;
