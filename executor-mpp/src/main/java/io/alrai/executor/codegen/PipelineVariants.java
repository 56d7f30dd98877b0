package io.alrai.executor.codegen;

import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Dictionary;
import io.alrai.executor.codegen.PipelineSpec.Sink;
import io.alrai.executor.codegen.PipelineSpec.Source;
import io.alrai.executor.vector.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The generated classes of one pipeline: one for each way in which columns lie in memory. Any
 * thread.
 */
public final class PipelineVariants {
  private static final int[] NO_SELECTION = {};
  private static final int NOT_GROUPED = -1;

  private final PipelineSpec spec;
  private final Map<Signature, CodeGenerator.Generated> variants = new ConcurrentHashMap<>();

  private record Signature(List<ColumnForm> forms, boolean selected) {}

  /** No classes yet. */
  public PipelineVariants(PipelineSpec spec) {
    this.spec = spec;
  }

  /** What the pipeline does. */
  public PipelineSpec spec() {
    return spec;
  }

  /** Part of a batch or of a chunk of rows, with the code for it. */
  public final class Bound {
    private final CodeGenerator.Generated generated;
    private final long[] columns;
    private final int[] selection;
    private final int rows;

    private Bound(CodeGenerator.Generated generated, long[] columns, int[] selection, int rows) {
      this.generated = generated;
      this.columns = columns;
      this.selection = selection;
      this.rows = rows;
    }

    /** How many rows it has. */
    public int rows() {
      return rows;
    }

    /**
     * Takes some of the rows through the pipeline; how far it came, as {@link PipelineCode#run}.
     */
    public int run(Lane lane, int begin, int end) {
      return generated.code().run(lane, columns, selection, begin, end);
    }
  }

  /** Code for stored rows. */
  public Bound bind(long address, int rows) {
    return new Bound(
        generated(new Signature(List.of(), false)), new long[] {address}, NO_SELECTION, rows);
  }

  /** Code for a batch; prepares the lane's answers for its dictionaries. */
  public Bound bind(ColumnBatch batch, Lane lane) {
    List<ColumnForm> forms = new ArrayList<>();
    long[] columns = new long[batch.columns().size() * PipelineCode.ADDRESSES];
    for (int i = 0; i < batch.columns().size(); i++) {
      ColumnVector vector = batch.columns().get(i);
      forms.add(ColumnForm.of(vector));
      addresses(vector, columns, i * PipelineCode.ADDRESSES);
    }
    CodeGenerator.Generated generated =
        generated(new Signature(forms, batch.selection().isPresent()));
    lane.begin(generated.constants().tests().size(), forms.size());
    for (int i = 0; i < batch.columns().size(); i++) {
      if (batch.columns().get(i).dictionary().isPresent()) {
        int collation = isGrouped() ? collation(i) : NOT_GROUPED;
        lane.enter(i, collation, batch.columns().get(i).dictionary().get());
      }
    }
    List<CodeConstants.DictionaryTest> tests = generated.constants().tests();
    for (int i = 0; i < tests.size(); i++) {
      Dictionary dictionary =
          batch.columns().get(tests.get(i).scanColumn()).dictionary().orElseThrow();
      lane.answer(i, dictionary, generated.code()::judge);
    }
    return new Bound(
        generated, columns, batch.selection().orElse(NO_SELECTION), batch.visibleRows());
  }

  private boolean isGrouped() {
    return spec.sink() instanceof Sink.Groups groups && !groups.keys().isEmpty();
  }

  private int collation(int column) {
    Source source = spec.source();
    return source.types().get(column).collation().ordinal();
  }

  private static void addresses(ColumnVector vector, long[] columns, int at) {
    columns[at] = vector.values().address();
    columns[at + 1] = vector.validity().map(bits -> bits.address()).orElse(0L);
    if (vector.dictionary().isPresent()) {
      columns[at + 2] = vector.dictionary().get().ends().address();
      columns[at + 3] = vector.dictionary().get().bytes().address();
    } else {
      columns[at + 2] = columns[at];
      columns[at + 3] = vector.bytes().map(bytes -> bytes.address()).orElse(0L);
    }
  }

  private CodeGenerator.Generated generated(Signature signature) {
    return variants.computeIfAbsent(
        signature, missing -> CodeGenerator.generate(spec, missing.forms(), missing.selected()));
  }
}
