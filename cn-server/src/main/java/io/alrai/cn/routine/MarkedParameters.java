package io.alrai.cn.routine;

import io.alrai.cn.statement.StatementRun;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.routine.InterpretedCalls.Marker;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import java.io.ByteArrayOutputStream;
import java.util.Collections;
import java.util.List;

/** Parameters of a text in which some are values of functions, the others the client's. */
final class MarkedParameters implements ParameterSource {
  private final List<Marker> markers;
  private final ParameterSource ofCalls;
  private final SlotValues ofClient;
  private final ShapedStatement statement;

  MarkedParameters(
      List<Marker> markers, List<LocalValue> values, StatementRun run, LexicalMode mode) {
    this.markers = List.copyOf(markers);
    this.ofCalls = new LocalParameters(values, Collections.nCopies(values.size(), false), mode);
    this.ofClient = run.values();
    this.statement = run.statement();
  }

  /** The slot of the client's parameter of that number. */
  private int slot(int parameter) {
    for (int slot = 0; slot < statement.slotCount(); slot++) {
      if (statement.parameter(slot) == parameter) {
        return slot;
      }
    }
    throw new IllegalStateException("no parameter " + parameter);
  }

  @Override
  public Kind kind(int parameter) {
    return switch (markers.get(parameter)) {
      case Marker.OfCall of -> ofCalls.kind(of.call());
      case Marker.OfClient of -> ofClient.kind(slot(of.parameter()));
    };
  }

  @Override
  public boolean fitsLong(int parameter) {
    return switch (markers.get(parameter)) {
      case Marker.OfCall of -> ofCalls.fitsLong(of.call());
      case Marker.OfClient of -> ofClient.fitsLong(slot(of.parameter()));
    };
  }

  @Override
  public long longValue(int parameter) {
    return switch (markers.get(parameter)) {
      case Marker.OfCall of -> ofCalls.longValue(of.call());
      case Marker.OfClient of -> ofClient.longValue(slot(of.parameter()));
    };
  }

  @Override
  public byte[] bytes(int parameter) {
    return switch (markers.get(parameter)) {
      case Marker.OfCall of -> ofCalls.bytes(of.call());
      case Marker.OfClient of -> ofClient.bytes(slot(of.parameter()));
    };
  }

  @Override
  public void appendSql(int parameter, ByteArrayOutputStream out) {
    switch (markers.get(parameter)) {
      case Marker.OfCall of -> ofCalls.appendSql(of.call(), out);
      case Marker.OfClient of -> ofClient.appendSql(slot(of.parameter()), out);
    }
  }
}
