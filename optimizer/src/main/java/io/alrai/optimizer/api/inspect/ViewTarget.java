package io.alrai.optimizer.api.inspect;

import io.alrai.executor.fragment.CheckView;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.View;
import io.alrai.optimizer.view.CheckViews;
import io.alrai.optimizer.view.WritableView;
import java.util.Optional;

/**
 * Where writes through a view go.
 *
 * @param check the view of its own that checks the rows, if one does
 */
public record ViewTarget(Table table, Optional<CheckView> check) {
  /** Empty for a view that cannot be written. */
  public static Optional<ViewTarget> of(Catalog catalog, View view) {
    return WritableView.of(catalog, view)
        .map(writable -> new ViewTarget(writable.table(), CheckViews.ofRows(writable)));
  }

  /** How the names begin of the views that check for one view. */
  public static String checkPrefix(String schema, String view) {
    return CheckViews.prefix(schema, view);
  }
}
