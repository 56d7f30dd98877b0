package io.alrai.cn.routine;

import io.alrai.cn.result.ForwardedResult;
import io.alrai.cn.result.ResultWriter;
import io.alrai.common.wire.ColumnDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A result some of whose columns have the types of functions, whose values are in their places. */
final class TypedResult extends ForwardedResult {
  private final Map<Integer, ColumnDefinition> types;

  TypedResult(ResultWriter client, Map<Integer, ColumnDefinition> types) {
    super(client);
    this.types = Map.copyOf(types);
  }

  @Override
  public void columns(List<ColumnDefinition> definitions, int status) {
    List<ColumnDefinition> typed = new ArrayList<>(definitions);
    types.forEach((index, type) -> {
      ColumnDefinition made = typed.get(index);
      typed.set(
          index,
          new ColumnDefinition(
              "",
              "",
              "",
              made.name(),
              "",
              type.charsetId(),
              type.length(),
              type.type(),
              type.flags(),
              type.decimals()));
    });
    super.columns(typed, status);
  }
}
