/**
 * What an analytical tree is expected to cost, in rows that are looked at, and the cheapest order
 * of joins. In: trees and statistics. Out: estimates. Pure.
 */
@NullMarked
package io.alrai.optimizer.cost;

import org.jspecify.annotations.NullMarked;
