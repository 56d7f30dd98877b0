/**
 * Whether a CN serves, and how it ceases to: what it needs comes from its lease and its links, and
 * what is missing goes to the port of its metrics, where load balancers ask. Runs on the thread
 * that starts and ends the process; what is asked, on any.
 */
@NullMarked
package io.alrai.cn.health;

import org.jspecify.annotations.NullMarked;
