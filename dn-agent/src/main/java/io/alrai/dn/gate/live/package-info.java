/**
 * Runs a gate on an event loop through the lives of its mysqld: carries out its effects, and brings
 * it the log, the answers of the mysqld, the messages of other DNs and the views of CNs.
 */
@NullMarked
package io.alrai.dn.gate.live;

import org.jspecify.annotations.NullMarked;
