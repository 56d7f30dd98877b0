package io.alrai.optimizer.bind;

import io.alrai.optimizer.bind.Relation.Output;
import java.util.List;
import java.util.Optional;

/**
 * What the block around a query learns of it.
 *
 * @param outputs its columns; empty when not known
 * @param rows where they are
 * @param open whether given key values are still missing but may come from the block around
 */
public record QueryFacts(Optional<List<Output>> outputs, Rows rows, boolean open) {}
