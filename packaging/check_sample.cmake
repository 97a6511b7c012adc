# What the checks of an installed tree and of the archive share: the sample that comes with the
# program, clustered by the program of that tree.

# check_sample(TREE): TREE/bin/clusterloom-cli finds the clusters of the sample in TREE/share, and with
# GUI draws them.
function(check_sample tree)
  set(picture)
  if(GUI)
    set(picture --image ${tree}/sample.png)
  endif()
  execute_process(
    COMMAND ${tree}/bin/clusterloom-cli cluster ${tree}/share/clusterloom/samples/shapes-2d.csv
            --eps 1.5 --min-pts 10 --json ${picture}
    OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  string(JSON clusters GET "${said}" clusters)
  if(NOT clusters EQUAL 8)
    message(FATAL_ERROR "the sample has ${clusters} clusters, not 8")
  endif()
  if(GUI AND NOT EXISTS ${tree}/sample.png)
    message(FATAL_ERROR "the picture of the sample is missing")
  endif()
endfunction()
