/**
 * A gate at work: on an event loop, through the lives of its mysqld, with the messages of other DNs
 * and the views of CNs around it.
 */
@NullMarked
package io.alrai.dn.gate.live;

import org.jspecify.annotations.NullMarked;
